import { Refusal } from './refusal.ts'

const mostAttempts = 8

/**
 * Runs a read and the write that depends on it. The write must send the ETag that was read; if somebody else wrote in
 * between, both run again.
 * @param attempt must make its write by the `step`: the refusal of the attempt before is kept under that one's key
 * @throws Refusal after 8 attempts
 */
export async function whileUnchanged<Item>(attempt: (step: string) => Promise<Item>): Promise<Item> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(attempts === 1 ? '' : `attempt ${attempts}`)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'etag_mismatch' || attempts === mostAttempts) throw error
    }
  }
}
