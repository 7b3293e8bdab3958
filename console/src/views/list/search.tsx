import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useCommands } from '../../frame/shortcuts.ts'
import { place, query, setQuery } from '../../router/router.ts'
import { words } from '../../words.ts'

const pauseMs = 250

/** The word search. Typed text goes to the address after a pause, and stays in the field if the request fails. */
export function Search() {
  const input = useRef<HTMLInputElement>(null)
  const hint = useId()
  const inAddress = query('q')
  const typed = useSignal(inAddress)
  const said = useRef(inAddress)
  useEffect(() => {
    // Back or a link changed the address, not the user's typing
    if (inAddress !== said.current) typed.value = inAddress
    said.current = inAddress
  }, [inAddress])
  const say = () => {
    said.current = typed.value.trim()
    if (said.current === query('q')) return
    const isRanked = query('sort').endsWith('relevance')
    setQuery({ q: said.current, ...(said.current === '' && isRanked && { sort: undefined }) })
  }
  useEffect(() => {
    if (typed.value.trim() === query('q')) return
    const timer = setTimeout(say, pauseMs)
    return () => clearTimeout(timer)
  }, [typed.value])
  const { path } = place.value
  // the server may refuse the key while the user types
  useEffect(
    () => () => {
      if (place.value.path === path && typed.value.trim() !== query('q')) setQuery({ q: typed.value.trim() })
    },
    [],
  )
  useCommands(words.views.list, [{ label: words.shortcuts.search, keys: '/', run: () => input.current?.focus() }])
  return (
    <search class="list-search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          say()
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label={words.list.search}
          aria-describedby={hint}
          placeholder={words.list.search}
          autocomplete="off"
          spellcheck={false}
          maxLength={255}
          dir="auto"
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
          }}
        />
      </form>
      <p id={hint} class="quiet small">
        {words.list.searchHint}
      </p>
    </search>
  )
}
