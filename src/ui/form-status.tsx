import { Box, Button, Flex, type SystemStyleObject, Text, VisuallyHidden } from '@chakra-ui/react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { ENQUIRY_TEXT, TEXT } from '../domain/texts.ts'
import { LOADING, LOADING_FAILED, RELOADS } from '../page-marks.ts'
import { outcomeBox, outcomeIcon } from './outcome.tsx'
import { useServices } from './services-context.ts'

const LONG_WAIT_MS = 1000

/** All children stand at one place, so that nothing moves. */
const place: SystemStyleObject = {
  display: 'grid',
  gridTemplateRows: 'auto 1fr',
  lineHeight: 1.35,
  '& > *': { gridArea: '2 / 1' },
  // A browser that can't hide the sentence keeps it above the rest.
  '& > p': { gridRow: 1, '@supports selector(:has(*))': { gridRow: 2 } },
}

const TAKING = ['[data-takes-place]', `[${LOADING}]:not(:empty)`, `[${LOADING_FAILED}]:not(:empty)`]

/**
 * Hides the sentence while something else stands at its place, and half a second longer: it would flash between two
 * outcomes. It stays for assistive technology.
 */
const hideSentence = {
  '& > p': { transition: 'opacity 0.15s 0.5s' },
  [`&:has(${TAKING}) > p`]: { opacity: 0, pointerEvents: 'none', transition: 'none' },
}

/** The boot script writes only a text, so the icon is one too. */
const failure: SystemStyleObject = {
  ...outcomeBox('error'),
  flex: '1 1 8rem',
  maxW: 'max-content',
  me: '2',
  textWrap: 'balance',
  _before: {
    ...outcomeIcon,
    // An exclamation mark, which Chakra would take for '!important'.
    content: '"\\21"',
    boxSize: '1.25rem',
    border: '2px solid',
    borderRadius: 'full',
    fontWeight: 'bold',
    lineHeight: '1rem',
    textAlign: 'center',
  },
}

/** The boot script fills these, and leaves them as they are rendered here before React takes them over. */
const EARLY_STATUS = (
  <>
    <Text {...{ [LOADING]: TEXT.loading }} />
    <Text {...{ [LOADING_FAILED]: ENQUIRY_TEXT.failed }} css={{ '&:not(:empty)': failure }} />
    <Button {...RELOADS.props} hidden scrollMarginY="9" pointerEvents="auto">
      {TEXT.reload}
    </Button>
  </>
)

type FormStatusProps = ComponentProps<typeof Box> & {
  /** Whether a call is pending. */
  readonly busy: boolean
  /** How the typed text is used, and the id of the element that says so. No text, no element. */
  readonly use: { readonly id: string; readonly text: string }
  /** What is announced, besides a long wait. */
  readonly announcement?: ReactNode
}

/** What stands at a form: how the typed text is used, or what has become of it. */
export function FormStatus({ busy, use, announcement, children, ...rest }: FormStatusProps) {
  const waitsLong = useLongWait(busy)
  return (
    <Box css={[place, hideSentence]} {...rest}>
      {use.text && (
        <Text id={use.id} textWrap="balance">
          {use.text}
        </Text>
      )}
      {/* A live region is in the page from the start: browsers announce no region that appears with its text. */}
      <Flex aria-live="polite" wrap="wrap" align="center" justify={rest.textAlign} rowGap="2" pointerEvents="none">
        {EARLY_STATUS}
        {waitsLong && <VisuallyHidden>{TEXT.sending}</VisuallyHidden>}
        {announcement}
      </Flex>
      {children}
    </Box>
  )
}

function useLongWait(busy: boolean): boolean {
  const { timers } = useServices()
  const [waitsLong, setWaitsLong] = useState(false)
  useEffect(() => {
    if (!busy) return
    const cancel = timers.after(LONG_WAIT_MS, () => setWaitsLong(true))
    return () => {
      cancel()
      setWaitsLong(false)
    }
  }, [busy, timers])
  return waitsLong
}
