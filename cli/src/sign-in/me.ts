import type { Taskwright } from '../client.ts'
import type { Terminal } from '../terminal.ts'

/** The member and organization of a key. */
export interface Me {
  member: { id: string; name: string; email: string; role: string }
  organization: { name: string; timezone: string }
  apiKey: { name: string; prefix: string; scopes: string[]; expiresAt: string | null }
}

export const meOf = async (tw: Taskwright, { interrupted }: Terminal) =>
  (await tw.request('GET', '/me', { signal: interrupted })) as Me
