import { chakra, Portal } from '@chakra-ui/react'
import { type MouseEvent, useEffect, useState } from 'react'
import { WORDS } from '../domain/brand.ts'
import { startLoadingDots } from '../domain/loading-text.ts'
import { usePorts } from './ports-context.ts'

const Mask = chakra('div', {
  base: {
    position: 'fixed',
    inset: 0,
    zIndex: 10,
    display: 'grid',
    placeItems: 'center',
    color: 'onPicture',
    background: '#04121fb3',
    fontSize: '1.25rem',
    animation: 'fadeIn 150ms 150ms backwards',
    _motionReduce: { animationDuration: '1ms' },
  },
})

/** Room for all dots from the start, so that the word stands still. */
const Dots = chakra('span', { base: { display: 'inline-block', width: '1em', textAlign: 'left' } })

/** Stands in the dialog's place while its code is on its way; a fast visitor's dialog is there before it is seen. */
export function LoadingDialog({ onCancel }: { onCancel: () => void }) {
  const { timers } = usePorts()
  const [dots, setDots] = useState('')

  useEffect(() => startLoadingDots(timers, setDots), [timers])
  useEffect(() => {
    const cancel = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onCancel()
    }
    document.addEventListener('keydown', cancel)
    return () => document.removeEventListener('keydown', cancel)
  }, [onCancel])

  function press(event: MouseEvent) {
    // Else the press would take the focus from where the cancelling leaves it.
    event.preventDefault()
    // The second press of a double click was meant for the button that is now under the mask.
    if (event.button === 0 && event.detail < 2) onCancel()
  }

  return (
    <Portal>
      <Mask onMouseDown={press}>
        <p role="status">
          {WORDS.loading}
          <Dots aria-hidden="true">{dots}</Dots>
        </p>
      </Mask>
    </Portal>
  )
}
