import { Button, type ButtonProps } from '@chakra-ui/react'
import { CloseIcon } from './icons.tsx'

export function CloseButton(props: ButtonProps) {
  return (
    <Button variant="ghost" aria-label="Close" {...props}>
      <CloseIcon />
    </Button>
  )
}
