import type { ComponentProps } from 'react'
import { TEXT } from '../domain/texts.ts'
import { Button } from './button.ts'
import { Icon } from './icons.tsx'

export function CloseButton(props: ComponentProps<typeof Button>) {
  return (
    <Button variant="ghost" aria-label={TEXT.close} {...props}>
      <Icon name="close" />
    </Button>
  )
}
