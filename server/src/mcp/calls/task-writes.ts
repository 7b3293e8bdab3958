import { z } from 'zod'
import type { Call } from './call.ts'
import { taskKeys } from './names.ts'
import { Refusal } from './refusal.ts'

/** The argument that names the tasks to change. */
export const tasksToChange = z.array(z.string()).min(1).describe('one, or up to 20')

/**
 * Changes tasks one after the other, in their order. A refusal of one task does not stop the others.
 * @param change must pass its `step` to the write, which tells the writes of several tasks apart
 * @returns a line for each task
 * @throws Refusal when no task was changed
 */
export async function changeEach(
  call: Call,
  written: readonly string[],
  change: (key: string, step: string) => Promise<string>,
): Promise<string> {
  const [first, ...others] = taskKeys(written, mostTasks)
  if (others.length === 0) return change(first, '')
  call.allowFurther(others.length)
  const lines: string[] = []
  const refusals: Refusal[] = []
  for (const key of [first, ...others]) {
    try {
      lines.push(await change(key, key))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push(error)
      lines.push(`Not changed: ${key}: ${error.message}`)
    }
  }
  if (refusals.length === lines.length) throw new Refusal(lines.join('\n'), refusals[0]?.code)
  return lines.join('\n')
}

const mostTasks = 20

const mostAttempts = 8

/**
 * Runs a read and a write that depends on it. The write must send the ETag of the read. If the ETag is no longer current, both
 * run again.
 * @param attempt must pass its `step` to the write: the server stores the refusal of each attempt under its own key
 * @throws Refusal after 8 attempts
 */
export async function retryWhileUnchanged<Item>(attempt: (step: string) => Promise<Item>): Promise<Item> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(attempts === 1 ? '' : `attempt ${attempts}`)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'etag_mismatch' || attempts === mostAttempts) throw error
    }
  }
}
