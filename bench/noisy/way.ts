import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from './client.ts'

/** Who does its worst, and to whom. */
export interface Attacker {
  client: Client
  orgId: string
  /** the organization beside it */
  victimId: string
  /** its URL: what would take an hour over HTTP is put straight into the tables */
  database: string
  /** for how long its worst is measured */
  seconds: number
}

/** Prepares a way to harm others. @returns what is done again and again, by so many at a time */
export type Way = (attacker: Attacker) => Promise<Prepared>

interface Prepared {
  atOnce: number
  act: () => Promise<unknown>
}

/** Does it until it is told to stop, whatever comes of it. */
export async function harm({ atOnce, act }: Prepared, signal: AbortSignal): Promise<void> {
  const one = async () => {
    while (!signal.aborted) {
      try {
        await act()
      } catch {
        await wait(50)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}
