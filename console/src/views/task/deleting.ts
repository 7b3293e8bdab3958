import { act } from '../../act/act.ts'
import { noteFocus } from '../../parts/focus.ts'
import { mayAdminister } from '../../session/may.ts'

interface Deleting {
  /** the row that goes */
  row: Element | null
  /** where the focus goes when no other row is there */
  otherwise: HTMLElement | null
  said: string
  write: () => PromiseLike<unknown>
  restore: () => PromiseLike<unknown>
}

/** Deletes a row, and gives the focus to the one beside it. It can be taken back by those who may. */
export async function deleteRow({ row, otherwise, said, write, restore }: Deleting): Promise<void> {
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  const mayFocus = noteFocus()
  const outcome = await act(write, { said, ...(mayAdminister() && { undo: restore }) })
  if (outcome.done && mayFocus()) (beside?.querySelector<HTMLElement>('button, a') ?? otherwise)?.focus()
}
