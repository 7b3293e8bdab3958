import { refused } from '../../contract/errors.ts'

/** @throws 412 when the subtask is finalized: it and its time are frozen until it is reopened */
export function refuseIfFinalized({ finalizedAt }: { finalizedAt: string | null }): void {
  if (finalizedAt !== null) throw refused('The subtask is already finalized', 'subtask_finalized')
}
