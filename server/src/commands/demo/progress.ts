/** The rows that exist so far. */
interface SeedProgress {
  tasks: number
  entries: number
}

/** Shows the progress of seeding. */
export interface ProgressTeller {
  tell(made: SeedProgress): void
  end(): void
}

const barWidth = 30
const patienceMs = 5_000

/** Creates a progress bar for seeding. */
export function progressOn(stream: NodeJS.WriteStream, scale: SeedProgress): ProgressTeller {
  const bar = progressBar(stream, 'Seeding')
  const share = ({ tasks, entries }: SeedProgress) => (tasks + entries) / (scale.tasks + scale.entries)
  return {
    tell: (made) =>
      bar.tell(share(made), `${formatNumber(made.tasks)} tasks, ${formatNumber(made.entries)} time entries`),
    end: bar.end,
  }
}

/** Creates a progress bar on a terminal; elsewhere it prints a line every few seconds. @param called such as "Seeding" */
export function progressBar(stream: NodeJS.WriteStream, called: string) {
  let lastMs = Date.now()
  let drawn = false
  return {
    /** @param share of the whole, 0 to 1 @param what the result so far, in a few words */
    tell(share: number, what: string): void {
      const text = `${Math.floor(share * 100)} %, ${what}`
      if (stream.isTTY) {
        const filled = Math.round(share * barWidth)
        stream.write(`\r\x1b[2K[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}] ${text}`)
        drawn = true
      } else if (Date.now() - lastMs > patienceMs) {
        stream.write(`${called}: ${text}\n`)
        lastMs = Date.now()
      }
    },
    end(): void {
      if (drawn) stream.write('\r\x1b[2K')
      drawn = false
    },
  }
}

/** Formats a number: 20,000. */
export const formatNumber = (number: number) => number.toLocaleString('en-US')
