import { Box, type SystemStyleObject } from '@chakra-ui/react'
import { createElement, type ReactNode } from 'react'
import type { Severity } from '../../domain/notifications.ts'
import { Icon } from '../icons.tsx'
import { pixels } from '../theme/tokens.ts'

const OUTCOME_GAP = 'min({spacing.2}, 3vw)'

const tone = (severity: Severity) => ({
  [`&[data-tone=${severity}]`]: { '--tone': `colors.fg.${severity}`, bg: `bg.${severity}` },
})

/**
 * All severities share one CSS rule. A hidden box in form-status.tsx brings this rule into the prerendered page, so the
 * boxes that appear later need no new rule.
 */
const box: SystemStyleObject = {
  ...tone('success'),
  ...tone('info'),
  ...tone('error'),
  ...tone('warn'),
  display: 'flex',
  gap: OUTCOME_GAP,
  px: OUTCOME_GAP,
  py: 'calc({spacing.2} - 1px)',
  color: 'var(--tone)',
  // The focus ring of its button needs a colour that is visible on the box.
  colorPalette: 'brand',
  borderWidth: pixels(1),
  textWrap: 'pretty',
  borderColor: 'currentcolor',
  borderRadius: 'l2',
  scrollMarginY: '2',
  focusVisibleRing: 'outside',
  '& svg': { color: { base: 'var(--tone)', _highContrast: 'CanvasText' } },
  // Beside the icon are the text and the button. If there is no room for both, the button is below the text.
  '& > div': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', flex: 1, minW: 0, gap: OUTCOME_GAP },
  '& > div > div': { flex: '1 1 min(12rem, 60%)' },
  '& b': { display: 'block' },
}

/** Used as a `ref`: an element gets the focus when it appears, and the browser scrolls it into view. */
export const focusOnMount = (element: HTMLElement | null) => element?.focus()
/** Used as a `ref`: scrolls an element into view when it appears. It waits for the next frame, because the layout is ready only then. */
const scrollIntoViewOnMount = (element: Element | null) => {
  if (element) requestAnimationFrame(() => element.scrollIntoView({ block: 'nearest' }))
}

type OutcomeBoxProps = {
  readonly severity: Severity
  readonly text: string
  readonly textId?: string
  /** The address that was sent. It is the first line, in bold. */
  readonly address?: string | undefined
  /** Whether the box is a group with the text as its name. Screen readers read the name when the focus comes into it. */
  readonly isGroup?: boolean
  readonly takesFocus?: boolean
  /** A button or link for what the visitor can do next. */
  readonly action?: ReactNode
}

/** Allows line breaks in a long address after its @ and its dots. */
const BREAK = <wbr />
const breakable = (address: string) => address.split(/([^@.]+[@.]+)/).flatMap((part) => [part, BREAK])

/** Shows the outcome of a submit in the form: an icon, the address that was sent, a sentence, and an action. */
export function OutcomeBox({ severity, text, textId, address, isGroup, takesFocus, action }: OutcomeBoxProps) {
  const group = isGroup && { role: 'group', 'aria-labelledby': textId }
  const focusable = takesFocus && { ref: focusOnMount, tabIndex: -1 }
  return (
    <Box ref={scrollIntoViewOnMount} data-tone={severity} css={box} {...group} {...focusable}>
      <Icon name={severity} size="1.5em" />
      <div>
        <div id={textId}>
          {address && createElement('b', null, ...breakable(address))}
          <p>{text}</p>
        </div>
        {action}
      </div>
    </Box>
  )
}
