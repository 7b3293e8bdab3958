import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import { tell } from '../act/notices.ts'

/** Something that can be run by keys and by its name. */
export interface Command {
  /** what it is called in the list of shortcuts and among the commands */
  label: string
  /** `n`, `?`, `Ctrl+k`, or one after the other: `g b`; none when it is run by its name alone */
  keys?: string
  run: () => void
  /** why it cannot be run just now, as a sentence: then it is not offered, and its keys tell that */
  whyNot?: () => string | undefined
  /** also while somebody types, or a dialog is open */
  always?: boolean
  /** also above a dialog, while nobody types */
  inDialogs?: boolean
}

/** Commands that belong together, under one heading. */
interface CommandGroup {
  title: string
  commands: readonly Command[]
  /** something in the dialog that they belong to: they work while that is in front, and while none is otherwise */
  within?: RefObject<Element | null> | undefined
}

/** What can be run just now: what the frame offers, and the view that is open. */
export const commandGroups = signal<readonly CommandGroup[]>([])

/** Offers commands for as long as the component is there. */
export function useCommands(title: string, commands: readonly Command[], within?: RefObject<Element | null>): void {
  const offered = useMemo(() => ({ title, commands, within }), [])
  // the functions see the latest state of their component
  offered.commands = commands
  // with what is shown: whoever sees it may press a key at once
  useLayoutEffect(() => {
    commandGroups.value = [...commandGroups.value, offered]
    return () => {
      commandGroups.value = commandGroups.value.filter((group) => group !== offered)
    }
  }, [])
}

/** Those of commands that can be run. */
export const offered = (commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ whyNot }) => whyNot?.() === undefined)

const togetherMs = 1_500

/** Listens to the keyboard. @returns ends it */
export function followKeys(): () => void {
  let before = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const pressed = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || ['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return
    const key = nameOf(event)
    const isBusy = isTyping(event.target) || document.querySelector(':popover-open') !== null
    const inFront = [...document.querySelectorAll('dialog[open]')].at(-1)
    const all = commandGroups.value.flatMap(({ commands, within }) => {
      const isInFront = within?.current?.closest('dialog') === inFront
      return commands.filter(({ always, inDialogs }) => always || (!isBusy && (isInFront || inDialogs)))
    })
    const typed = before === '' ? key : `${before} ${key}`
    const found = all.findLast(({ keys }) => keys === typed) ?? all.findLast(({ keys }) => keys === key)
    clearTimeout(timer)
    before = ''
    if (found) {
      event.preventDefault()
      const whyNot = found.whyNot?.()
      if (whyNot === undefined) found.run()
      else tell(whyNot)
    } else if (all.some(({ keys }) => keys?.startsWith(`${key} `))) {
      before = key
      timer = setTimeout(() => {
        before = ''
      }, togetherMs)
    }
  }
  addEventListener('keydown', pressed)
  return () => {
    removeEventListener('keydown', pressed)
    clearTimeout(timer)
  }
}

function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const name = key.length === 1 && (ctrlKey || metaKey) ? key.toLowerCase() : key
  // what is Ctrl elsewhere is the command key on a Mac
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${name}`
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio)$/.test(target.type)
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName))
}
