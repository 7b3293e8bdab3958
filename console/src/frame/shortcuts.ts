import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import { tell } from '../act/notices.ts'

/** A command that the user runs by a shortcut or by name. */
export interface Command {
  /** its name in the list of shortcuts and in the palette */
  label: string
  /** `n`, `?`, `Ctrl+k`, or keys one after the other: `g b`; undefined if only the palette runs it */
  keys?: string
  run: () => void
  /** the reason why it is unavailable, as a sentence: the palette hides it, and its shortcut shows the reason */
  whyNot?: () => string | undefined
  /** also works while the user types or a dialog is open */
  always?: boolean
  /** also works above a dialog, unless the user types */
  inDialogs?: boolean
}

/** Commands under one heading. */
interface CommandGroup {
  title: string
  commands: readonly Command[]
  /** an element in the dialog of these commands: they work while that dialog is in front, or while no dialog is open */
  within?: RefObject<Element | null> | undefined
}

/** The available commands: those of the frame and of the open view. */
export const commandGroups = signal<readonly CommandGroup[]>([])

/** Registers commands while the component is mounted. */
export function useCommands(title: string, commands: readonly Command[], within?: RefObject<Element | null>): void {
  const offered = useMemo(() => ({ title, commands, within }), [])
  // these functions see the latest state of their component
  offered.commands = commands
  // a layout effect, because the user can press a key as soon as the view is visible
  useLayoutEffect(() => {
    commandGroups.value = [...commandGroups.value, offered]
    return () => {
      commandGroups.value = commandGroups.value.filter((group) => group !== offered)
    }
  }, [])
}

/** The commands that are available now. */
export const offered = (commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ whyNot }) => whyNot?.() === undefined)

const togetherMs = 1_500

/**
 * Listens to the keyboard.
 * @returns stops listening
 */
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
  // Command on a Mac is Ctrl elsewhere
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${name}`
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio)$/.test(target.type)
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName))
}
