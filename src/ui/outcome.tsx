import { Box, Flex, type SystemStyleObject } from '@chakra-ui/react'
import type { ComponentProps, ReactNode } from 'react'
import type { Severity } from '../domain/notification.ts'
import { SEVERITY_NAMES, SeverityIcon } from './icons.tsx'

const box: SystemStyleObject = { px: 'min({spacing.3}, 3.5vw)', py: '2', borderWidth: '1px', borderRadius: 'l2' }

/** The look of an outcome, which can be told from other severities at a glance, on any ground. */
export const outcomeBox = (severity: Severity): SystemStyleObject => ({
  ...box,
  color: `fg.${SEVERITY_NAMES[severity]}`,
  bg: `bg.${SEVERITY_NAMES[severity]}`,
  borderColor: 'currentcolor',
  // Forced colours take the other signs of an error away.
  ...(severity === 'error' && { _highContrast: { borderInlineStartWidth: '6px' } }),
})

/** The line of an address. A long one breaks before its @, or anywhere. */
const addressLine: SystemStyleObject = { fontWeight: 'bold', overflowWrap: 'anywhere' }

/** An icon at the start of a line. */
export const outcomeIcon: SystemStyleObject = {
  display: 'inline-block',
  boxSize: '1.5em',
  // Makes its line no higher.
  my: '-0.5em',
  me: '0.5em',
  verticalAlign: 'middle',
}

/** The ring of a focused text, around the whole box. */
const ring: SystemStyleObject = {
  content: '""',
  position: 'absolute',
  inset: '-5px',
  border: '3px solid {colors.colorPalette.focusRing}',
  borderRadius: 'calc({radii.l2} + 4px)',
}

/** For what stands at the place of the sentence about the use of the typed text. */
export const TAKES_PLACE = { 'data-takes-place': '' }

type OutcomeProps = ComponentProps<typeof Flex> & {
  /** The id of its text. */
  readonly id?: string
  readonly severity: Severity
  /** The address that was sent, a first line in bold. */
  readonly address?: string | undefined
  readonly children: ReactNode
  /** Whether its text, which needs an id, gets the focus, so that screen readers read it. */
  readonly takesFocus?: boolean
  /** A button: what the visitor can do next. */
  readonly action?: ReactNode
}

/** For the ref of an element that appears. Large text may make it higher than its place: then its start is shown. */
export const bringIntoView = (element: Element | null) =>
  element?.scrollIntoView({ block: element.clientHeight > innerHeight / 2 ? 'start' : 'nearest' })
export const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

/** The outcome of an attempt, with one look for both forms. It is scrolled into view. */
export function Outcome({
  severity,
  address,
  children,
  action,
  takesFocus,
  textAlign = 'start',
  id,
  ...rest
}: OutcomeProps) {
  // The icon hangs beside a text that is not centred.
  const indent = textAlign === 'start' ? '2em' : '0em'
  return (
    <Flex
      ref={bringIntoView}
      {...TAKES_PLACE}
      position="relative"
      wrap="wrap"
      align="center"
      gap="2"
      scrollMarginY="2"
      // On a small phone large text is enlarged less, so that words fit in a line.
      fontSize="min(1em, 7vw)"
      css={{ ...outcomeBox(severity), '& svg': outcomeIcon }}
      {...rest}
    >
      <Box
        id={id}
        {...(takesFocus && { ref: takeFocus, tabIndex: -1, role: 'group', 'aria-labelledby': id })}
        outline="none"
        _focusVisible={{ _after: ring }}
        flex="1 1 13rem"
        ps={indent}
        textAlign={textAlign}
        textWrap="balance"
      >
        <Box textIndent={`calc(-1 * ${indent})`} {...(address && addressLine)}>
          <SeverityIcon severity={severity} />
          {address ? <Address address={address} /> : children}
        </Box>
        {address && <Box>{children}</Box>}
      </Box>
      {action}
    </Flex>
  )
}

/** Prefers to break before its @. */
const Address = ({ address }: { readonly address: string }) => (
  <>
    {address.slice(0, address.indexOf('@'))}
    <wbr />
    {address.slice(address.indexOf('@'))}
  </>
)

/** Keeps the room for a centred outcome. Its texts are no part of the document. */
export const OutcomeRoom = ({ address, text }: { readonly address: string; readonly text: string }) => (
  <Box
    aria-hidden="true"
    visibility="hidden"
    textAlign="center"
    data-address={address.replace('@', '\u200B@')}
    data-text={text}
    css={box}
    _before={{ content: 'attr(data-address)', display: 'block', px: '1rem', ...addressLine }}
    _after={{ content: 'attr(data-text)', display: 'block', textWrap: 'balance' }}
  />
)
