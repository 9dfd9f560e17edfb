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
})

/** The line of an address. A long one breaks anywhere, and so begins beside the icon. */
const titleLine: SystemStyleObject = { fontWeight: 'bold', wordBreak: 'break-all' }

/** An icon at the start of a line. */
export const outcomeIcon: SystemStyleObject = {
  display: 'inline-block',
  boxSize: 'min(1.5rem, 6vw)',
  // Makes its line no higher.
  my: '-0.5rem',
  me: 'min(0.5rem, 2vw)',
  verticalAlign: 'middle',
}

/** For what stands at the place of the sentence about the use of the typed text. */
export const TAKES_PLACE = { 'data-takes-place': '' }

type OutcomeProps = ComponentProps<typeof Flex> & {
  /** The id of its text. */
  readonly id?: string
  readonly severity: Severity
  /** A first line in bold. */
  readonly title?: string | undefined
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
  title,
  children,
  action,
  takesFocus,
  textAlign = 'start',
  id,
  ...rest
}: OutcomeProps) {
  // The icon hangs beside a text that is not centred.
  const indent = textAlign === 'start' ? 'min(2rem, 8vw)' : '0px'
  return (
    <Flex
      ref={bringIntoView}
      {...TAKES_PLACE}
      wrap="wrap"
      align="center"
      gap="2"
      alignSelf="start"
      scrollMarginY="2"
      // On a small phone large text is enlarged less, so that words fit in a line.
      fontSize="min(1em, 7vw)"
      css={{ ...outcomeBox(severity), '& svg': outcomeIcon }}
      {...rest}
    >
      <Box
        id={id}
        {...(takesFocus && {
          ref: takeFocus,
          tabIndex: -1,
          role: 'group',
          'aria-labelledby': id,
          outlineColor: 'currentcolor',
          outlineOffset: '4px',
        })}
        flex="1 1 13rem"
        ps={indent}
        textAlign={textAlign}
        textWrap="balance"
      >
        <Box textIndent={`calc(-1 * ${indent})`} {...(title && titleLine)}>
          <SeverityIcon severity={severity} />
          {title ?? children}
        </Box>
        {title && <Box>{children}</Box>}
      </Box>
      {action}
    </Flex>
  )
}

/** Keeps the room for a centred outcome. Its texts are no part of the document. */
export const OutcomeRoom = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <Box
    aria-hidden="true"
    visibility="hidden"
    textAlign="center"
    data-title={title}
    data-text={text}
    css={box}
    _before={{ content: 'attr(data-title)', display: 'block', px: '1rem', ...titleLine }}
    _after={{ content: 'attr(data-text)', display: 'block', textWrap: 'balance' }}
  />
)
