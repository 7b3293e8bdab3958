import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

// as in list.css
const narrow = '(max-width: 48rem)'
const rems = { wide: 2.5, narrow: 4 }

/** The height of a row in px. It depends on the reader's text size; narrow screens use two lines. */
export function useRowHeight(): number {
  const height = useSignal(measured())
  useEffect(() => {
    const look = () => {
      height.value = measured()
    }
    addEventListener('resize', look)
    return () => removeEventListener('resize', look)
  }, [])
  return height.value
}

function measured(): number {
  const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return Math.round(remPx * (matchMedia(narrow).matches ? rems.narrow : rems.wide))
}
