import { Box, type SystemStyleObject } from '@chakra-ui/react'
import { createElement, type ReactNode } from 'react'
import type { Severity } from '../../domain/notifications.ts'
import { Icon } from '../icons.tsx'

const OUTCOME_GAP = 'min(10px, 3vw)'

const tone = (severity: Severity) => ({
  [`&[data-tone=${severity}]`]: { '--tone': `colors.fg.${severity}`, bg: `bg.${severity}` },
})

/** One rule for every severity, a part of the page from the start: a rule that comes with an outcome would delay it. */
const box: SystemStyleObject = {
  ...tone('success'),
  ...tone('info'),
  ...tone('error'),
  ...tone('warn'),
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: OUTCOME_GAP,
  px: OUTCOME_GAP,
  py: '7px',
  color: 'var(--tone)',
  // The ring of its button stands on paper.
  colorPalette: 'brand',
  borderWidth: '1px',
  borderColor: 'currentcolor',
  borderRadius: 'l2',
  scrollMarginY: '2',
  focusVisibleRing: 'outside',
  // On a small phone large text is enlarged less, so that words fit in a line.
  fontSize: 'min(1em, 7vw)',
  '& svg': { color: { base: 'var(--tone)', _highContrast: 'CanvasText' } },
  // Icon and text.
  '& > div': { display: 'flex', flex: '1 1 min(12rem, 60%)', gap: OUTCOME_GAP },
  '& b': { display: 'block' },
  // On a phone a button stands under the text, not under the icon.
  '& > :is(a, button)': { ms: { base: 'min(2.125rem, 9.3vw)', sm: 0 } },
}

/** For the ref of an element that appears. The browser scrolls it into view. */
export const takeFocus = (element: HTMLElement | null) => element?.focus()
/** In the frame that draws it, because a scroll needs the layout at once, and a notification may follow. */
const bringIntoView = (element: Element | null) => {
  if (element) requestAnimationFrame(() => element.scrollIntoView({ block: 'nearest' }))
}

type OutcomeBoxProps = {
  readonly severity: Severity
  readonly text: string
  /** The id of the text. */
  readonly textId?: string
  /** The address that was sent, a first line in bold. */
  readonly address?: string | undefined
  /** Whether it gets the focus, so that screen readers read it. */
  readonly takesFocus?: boolean
  /** A button: what the visitor can do next. */
  readonly action?: ReactNode
}

/** A long address breaks after its @ and its dots. */
const BREAK = <wbr />
const breakable = (address: string) => address.split(/([^@.]+[@.]+)/).flatMap((part) => [part, BREAK])

/** An outcome at a form: its icon, the address that was sent, a sentence, and what the visitor can do next. */
export function OutcomeBox({ severity, text, textId, address, takesFocus, action }: OutcomeBoxProps) {
  const focusable = takesFocus && { ref: takeFocus, tabIndex: -1, role: 'group', 'aria-labelledby': textId }
  return (
    <Box ref={bringIntoView} data-tone={severity} css={box} {...focusable}>
      <div>
        <Icon name={severity} size="1.5em" />
        <div id={textId}>
          {address && createElement('b', null, ...breakable(address))}
          <p>{text}</p>
        </div>
      </div>
      {action}
    </Box>
  )
}
