import type { ComponentProps } from 'react'
import { WORDS } from '../domain/brand.ts'
import { Button } from './button.ts'
import { CloseIcon } from './icons.tsx'

export function CloseButton(props: ComponentProps<typeof Button>) {
  return (
    <Button variant="ghost" aria-label={WORDS.close} {...props}>
      <CloseIcon />
    </Button>
  )
}
