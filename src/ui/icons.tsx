const LINE = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

export function CloseIcon() {
  return (
    <svg aria-hidden="true" data-icon="close" width="20" height="20" viewBox="0 0 20 20" {...LINE}>
      <path d="M5 5l10 10M15 5L5 15" />
    </svg>
  )
}

export function EnvelopeIcon() {
  return (
    <svg aria-hidden="true" data-icon="envelope" width="20" height="20" viewBox="0 0 20 20" {...LINE}>
      <path d="M2.5 4.5h15v11h-15zM3 5l7 6 7-6" />
    </svg>
  )
}
