import { chakra, Portal } from '@chakra-ui/react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
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
    background: '#04121fb3',
    animation: 'fadeIn 150ms 150ms backwards',
    _motionReduce: { animationDuration: '1ms' },
  },
})

const Card = chakra('p', {
  base: {
    padding: '1.5rem 2.5rem',
    color: 'ink',
    background: 'panel',
    borderRadius: '1rem',
    fontSize: '1.25rem',
    fontWeight: 600,
    outline: 0,
  },
})

/** Room for all dots from the start, so that the word stands still. */
const Dots = chakra('span', { base: { display: 'inline-block', width: '1em', marginRight: '-1em', textAlign: 'left' } })

/** Stands in the dialog's place while its code is on its way; a fast visitor's dialog is there before it is seen. */
export function LoadingDialog({ onCancel }: { onCancel: () => void }) {
  const { timers } = usePorts()
  const card = useRef<HTMLParagraphElement>(null)
  const [dots, setDots] = useState('')

  useEffect(() => startLoadingDots(timers, setDots), [timers])
  useEffect(() => {
    card.current?.focus()
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onCancel()
      // What lies under the mask is out of reach, and there is nothing else to go to.
      if (event.key === 'Tab') event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
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
        <Card ref={card} role="status" tabIndex={-1}>
          {WORDS.loading}
          <Dots aria-hidden="true">{dots}</Dots>
        </Card>
      </Mask>
    </Portal>
  )
}
