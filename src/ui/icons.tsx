import { Button } from '@chakra-ui/react'
import type { ComponentProps } from 'react'
import { TEXT } from '../domain/texts.ts'

const CIRCLE = 'M18 10a8 8 0 1 1-16 0a8 8 0 1 1 16 0'
const PATHS = {
  close: 'M5 5l10 10M15 5L5 15',
  envelope: 'M2.5 4.5h15v11h-15zM3 5l7 6 7-6',
  success: `${CIRCLE}M6.5 10.5l2.5 2.5 5-5.5`,
  info: `${CIRCLE}M10 9v5.5M10 6v.1`,
  warn: `${CIRCLE}M10 5.5v5.5M10 14v.1`,
  error: `${CIRCLE}M10 5.5v5.5M10 14v.1`,
}

type IconProps = { readonly name: keyof typeof PATHS; readonly size?: string }

export const Icon = ({ name, size = '1.25em' }: IconProps) => (
  <svg aria-hidden="true" width={size} height={size} viewBox="0 0 20 20" fill="none" stroke="currentColor">
    <path d={PATHS[name]} strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
)

/** A button with an icon and no text. It is large enough for a finger, and does not grow with a visitor's large text. */
export const CloseButton = (props: ComponentProps<typeof Button>) => (
  <Button
    variant="ghost"
    p="0"
    minH="11"
    minW="11"
    color="fg.muted"
    // The ring is inside the button, so that it does not touch the text below a small Close.
    css={{ '--focus-ring-offset': '-8px' }}
    aria-label={TEXT.close}
    {...props}
  >
    <Icon name="close" />
  </Button>
)
