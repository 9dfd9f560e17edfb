import type { Severity } from '../domain/notification.ts'

const STROKE = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const ICON_PATHS = { close: 'M5 5l10 10M15 5L5 15', envelope: 'M2.5 4.5h15v11h-15zM3 5l7 6 7-6' }

export function Icon({ name }: { readonly name: keyof typeof ICON_PATHS }) {
  return (
    <svg aria-hidden="true" width="1.25rem" height="1.25rem" viewBox="0 0 20 20" {...STROKE}>
      <path d={ICON_PATHS[name]} />
    </svg>
  )
}

/** For a button that has only an icon. It does not grow with the text, and is large enough for a finger. */
export const ICON_BUTTON = { minH: '44px', minW: '44px', color: 'inherit' }

/** The name in Chakra's colours, such as `fg.error` and `bg.error`. */
export const SEVERITY_NAMES = { success: 'success', info: 'info', warn: 'warning', error: 'error' } as const

const SEVERITY_PATHS: Record<Severity, string> = {
  success: 'M6.5 10.5l2.5 2.5 5-5.5',
  info: 'M10 9v5.5M10 6v.1',
  warn: 'M10 5.5v5.5M10 14v.1',
  error: 'M10 5.5v5.5M10 14v.1',
}

export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  return (
    <svg aria-hidden="true" width="1.5rem" height="1.5rem" viewBox="0 0 20 20" {...STROKE}>
      <circle cx="10" cy="10" r="8" />
      <path d={SEVERITY_PATHS[severity]} />
    </svg>
  )
}
