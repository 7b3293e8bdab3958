import type { CopyTransaction } from '../db/copy/copy-transaction.ts'
import type { Rows } from './rows.ts'

// bytes of rows that are made before they are sent
const portionSizeBytes = 4_000_000

/** Rows on their way to the database: one portion goes while the next is made. */
export function portionsOnto(tx: CopyTransaction) {
  let sent: Promise<void> = Promise.resolve()
  return {
    /** Whether so much waits that it is worth sending. */
    isFull: ({ waiting }: Rows): boolean => waiting >= portionSizeBytes,
    /** Sends what waits as soon as the portion before has arrived; does not wait until it has arrived itself. */
    async send(rows: Rows): Promise<void> {
      await sent
      sent = rows.send(tx)
      // what fails meanwhile is thrown by the next await
      sent.catch(() => {})
    },
    /** Waits until all that was sent has arrived. */
    arrived: (): Promise<void> => sent,
  }
}
