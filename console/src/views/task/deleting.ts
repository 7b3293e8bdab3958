import { act } from '../../act/act.ts'
import { noteFocus } from '../../parts/focus.ts'
import { mayAdminister } from '../../session/may.ts'

interface DeleteRequest {
  /** the row to delete */
  row: Element | null
  /** gets the focus if no other row is left */
  otherwise: HTMLElement | null
  said: string
  write: () => PromiseLike<unknown>
  restore: () => PromiseLike<unknown>
}

/** Deletes a row and moves the focus to a neighbor. Offers an undo to members who can restore. */
export async function deleteRow({ row, otherwise, said, write, restore }: DeleteRequest): Promise<void> {
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  const mayFocus = noteFocus()
  const outcome = await act(write, { said, ...(mayAdminister() && { undo: restore }) })
  if (outcome.done && mayFocus()) (beside?.querySelector<HTMLElement>('button, a') ?? otherwise)?.focus()
}
