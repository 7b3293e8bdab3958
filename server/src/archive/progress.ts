/** How far a backup or a restore is. */
interface Progress {
  /** of the whole, 0 to 1 */
  share: number
  rows: number
  /** of the archive: written so far, or read */
  bytes: number
}

/** Told whenever there is more. */
export type OnProgress = (progress: Progress) => void
