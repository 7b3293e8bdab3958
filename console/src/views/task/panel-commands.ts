import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { type Command, useCommands } from '../../frame/shortcuts.ts'

/** Offers commands that work while the panel, in which the element stands, is the dialog in front. */
export function usePanelCommands<E extends HTMLElement>(
  title: string,
  commands: readonly Command[],
): RefObject<E | null> {
  const within = useRef<E>(null)
  useCommands(title, commands, within)
  return within
}
