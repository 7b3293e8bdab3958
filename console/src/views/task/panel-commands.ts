import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { type Command, useCommands } from '../../frame/shortcuts.ts'

/** Registers commands that work while the panel with the element is the front dialog. */
export function usePanelCommands<E extends HTMLElement>(
  title: string,
  commands: readonly Command[],
): RefObject<E | null> {
  const within = useRef<E>(null)
  useCommands(title, commands, within)
  return within
}
