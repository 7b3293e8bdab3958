import type { Scale } from './scale.ts'
import type { Made } from './year.ts'

/** Tells how far it is. */
export interface Progress {
  tell(made: Made): void
  end(): void
}

const barWidth = 30
const patienceMs = 5_000

/** A bar on a terminal; elsewhere a line every few seconds. */
export function progressOn(stream: NodeJS.WriteStream, scale: Pick<Scale, 'tasks' | 'entries'>): Progress {
  let lastMs = Date.now()
  let drawn = false
  const share = ({ tasks, entries }: Made) => (tasks + entries) / (scale.tasks + scale.entries)
  return {
    tell(made) {
      const done = share(made)
      const text = `${Math.floor(done * 100)} %, ${grouped(made.tasks)} tasks, ${grouped(made.entries)} time entries`
      if (stream.isTTY) {
        const filled = Math.round(done * barWidth)
        stream.write(`\r\x1b[2K[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}] ${text}`)
        drawn = true
      } else if (Date.now() - lastMs > patienceMs) {
        stream.write(`Seeding: ${text}\n`)
        lastMs = Date.now()
      }
    },
    end() {
      if (drawn) stream.write('\r\x1b[2K')
    },
  }
}

/** A number as people read it: 20,000. */
export const grouped = (number: number) => number.toLocaleString('en-US')
