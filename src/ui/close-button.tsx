import { Button, type ButtonProps } from '@chakra-ui/react'
import { WORDS } from '../domain/brand.ts'
import { CloseIcon } from './icons.tsx'

export function CloseButton(props: ButtonProps) {
  return (
    <Button variant="ghost" aria-label={WORDS.close} {...props}>
      <CloseIcon />
    </Button>
  )
}
