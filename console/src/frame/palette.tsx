import { useSignal } from '@preact/signals'
import { foldName } from '@taskwright/client'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { go, taskHref } from '../router/router.ts'
import { tw } from '../session/session.ts'
import { words } from '../words.ts'
import { type Command, commandGroups, offered } from './shortcuts.ts'
import { Keys } from './shortcuts-help.tsx'

interface Choice {
  id: string
  label: string
  beside?: string
  keys?: string | undefined
  run: () => void
}

const pauseMs = 150
const mostFound = 8
const taskKey = /^[a-z][a-z0-9]{0,9}-\d{1,9}$/i

/** The command palette: finds a task, a view or a command by part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const typed = useSignal('')
  const found = useSignal<readonly Choice[]>([])
  const isSearching = useSignal(false)
  const at = useSignal(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    const text = typed.value.trim()
    if (text.length < 2) {
      found.value = []
      isSearching.value = false
      return
    }
    const attempt = new AbortController()
    isSearching.value = true
    const timer = setTimeout(async () => {
      try {
        const { groups } = await tw().search(
          { q: begun(text), kinds: ['task'], limit: mostFound },
          { signal: attempt.signal },
        )
        found.value = groups
          .flatMap(({ hits }) => hits)
          .map(({ id, key, name, project }) => ({
            ...{ id: `task-${id}`, label: name ?? '', beside: `${key ?? ''} · ${project.name}` },
            run: () => go(taskHref(key ?? id)),
          }))
      } catch {
        // the palette still finds commands
        if (!attempt.signal.aborted) found.value = []
      }
      if (!attempt.signal.aborted) isSearching.value = false
    }, pauseMs)
    return () => {
      attempt.abort()
      clearTimeout(timer)
    }
  }, [typed.value])

  const text = typed.value.trim()
  const commands = commandGroups.value
    .flatMap(({ title, commands }) => offered(commands).map((command) => ({ title, command })))
    .filter(({ command: { label } }) => matches(label, text))
    .map(({ title, command }) => choiceOf(title, command))
  const direct = taskKey.test(text)
    ? [{ id: 'direct', label: words.palette.openTask(text.toUpperCase()), run: () => go(taskHref(text.toUpperCase())) }]
    : []
  const choices: readonly Choice[] = [...direct, ...commands, ...found.value]
  const chosen = choices[Math.min(at.value, choices.length - 1)]
  const choose = ({ run }: Choice) => {
    onClose()
    // run after the dialog restored the focus, because the command may move it
    queueMicrotask(run)
  }
  const moved = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      at.value = (at.value + step + choices.length) % choices.length
      requestAnimationFrame(() =>
        list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
      )
    } else if (event.key === 'Enter' && chosen && !event.isComposing) {
      event.preventDefault()
      choose(chosen)
    }
  }
  return (
    <Dialog title={words.palette.title} onClose={onClose} isTitleHidden kind="wide">
      <div class="palette">
        <input
          role="combobox"
          aria-label={words.palette.input}
          placeholder={words.palette.input}
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && `${id}-${chosen.id}`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
            at.value = 0
          }}
          onKeyDown={moved}
        />
        {choices.length > 0 && (
          <div ref={list} id={`${id}-list`} role="listbox" aria-label={words.palette.commands} class="choices">
            {choices.map((choice, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus, and its keys choose
              <div
                key={choice.id}
                id={`${id}-${choice.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={choice === chosen}
                onPointerMove={() => {
                  at.value = place
                }}
                onClick={() => choose(choice)}
              >
                <span dir="auto">{choice.label}</span>
                <span class="quiet" dir="auto">
                  {choice.beside}
                </span>
                {choice.keys && (
                  <span class="keys">
                    <Keys keys={choice.keys} />
                  </span>
                )}
              </div>
            ))}
          </div>
        )}
        <p class="quiet small" role="status">
          {isSearching.value ? words.palette.searching : choices.length === 0 ? words.palette.nothing : ''}
        </p>
      </div>
    </Dialog>
  )
}

const choiceOf = (title: string, { label, keys, run }: Command): Choice => ({
  ...{ id: `command-${title}-${label}`.replace(/\W+/g, '-'), label, keys, run },
  ...(title !== words.shortcuts.everywhere && { beside: title }),
})

/** Adds `*`, because the last word may be incomplete. @see docs/finding.md */
const begun = (text: string) => (/[\p{L}\p{N}]$/u.test(text) ? `${text}*` : text)

/** Whether each typed word is the start of a word of the label. */
function matches(label: string, typed: string): boolean {
  const parts = foldName(label).split(/[^\p{L}\p{N}\p{M}]+/u)
  return foldName(typed)
    .split(/\s+/)
    .every((word) => parts.some((part) => part.startsWith(word)))
}
