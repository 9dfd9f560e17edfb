import { Box } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { TEXT } from '../../domain/texts.ts'
import { usePorts } from '../ports-context.ts'

/** Keeps the words of the last notification for screen readers, who may reach them after it has gone (WCAG 2.2.1). */
export function LastMessage() {
  const { notifications } = usePorts()
  const [message, setMessage] = useState('')
  useEffect(
    () =>
      notifications.onChange((active) => {
        if (active) setMessage(`${active.notification.summary} ${active.notification.detail}`)
      }),
    [notifications],
  )
  return message && <Box position="absolute" role="note" aria-label={TEXT.lastMessage(message)} />
}
