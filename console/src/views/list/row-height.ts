import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

// as list.css has it
const narrow = '(max-width: 48rem)'
const rems = { wide: 2.5, narrow: 4 }

/** px; of a row of the list, by the size of text that its reader has, and in two lines where there is little room. */
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
