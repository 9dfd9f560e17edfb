import { Button, Text } from '@chakra-ui/react'
import { ENQUIRY_TEXT, TEXT } from '../domain/texts.ts'
import { Outcome } from './form-status.tsx'

/** The texts that the boot script copies into a form. They are a part of the HTML, not of the app. */
export function BootTexts() {
  return (
    <>
      <Text data-text="loading">
        {TEXT.loading}
        <span aria-hidden="true" />
      </Text>
      <Outcome data-text="retry" severity="error" color="inherit">
        {ENQUIRY_TEXT.failed}
      </Outcome>
      <Outcome data-text="reload" severity="error" color="inherit">
        {TEXT.fault} <Button data-reload="">{TEXT.reload}</Button>
      </Outcome>
    </>
  )
}
