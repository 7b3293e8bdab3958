import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { query, setQuery } from '../router/router.ts'

const pauseMs = 150

interface SearchFieldProps {
  label: string
  /** the query parameter of the search text */
  word?: string
}

/** Searches when the user pauses typing. The address has the search text. */
export function SearchField({ label, word = 'q' }: SearchFieldProps) {
  const there = query(word)
  const typed = useSignal(there)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const search = (text: string) => {
    clearTimeout(timer.current)
    timer.current = undefined
    setQuery({ [word]: text, page: undefined })
  }
  useEffect(() => {
    // Back or a link changed the address
    if (timer.current === undefined) typed.value = there
  }, [there])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      type="search"
      class="search-field"
      aria-label={label}
      placeholder={label}
      dir="auto"
      spellcheck={false}
      value={typed.value}
      onInput={({ currentTarget: { value } }) => {
        typed.value = value
        clearTimeout(timer.current)
        timer.current = setTimeout(() => search(value), pauseMs)
      }}
      onKeyDown={({ key, currentTarget: { value } }) => {
        if (key === 'Enter') search(value)
      }}
    />
  )
}
