import { type CallOptions, PreconditionFailedError, type Taskwright } from '../client.ts'
import type { ListEdit } from '../operations/request.ts'

const mostAttempts = 8

/** Reads a resource, adds to its lists and removes from them, and writes it. If somebody else wrote in between, it retries. */
export async function editLists(
  tw: Taskwright,
  { path, body, listEdits }: { path: string; body: unknown; listEdits: readonly ListEdit[] },
  options: CallOptions & { query: Record<string, unknown> },
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const now = (await tw.request('GET', path, { signal: options.signal })) as Record<string, readonly string[]>
    const lists = listEdits.map(({ name, added, removed }) => {
      const all = new Set([...(now[name] ?? []), ...added])
      return [name, [...all].filter((id) => !removed.includes(id))] as const
    })
    const edited = { ...(body as object | undefined), ...Object.fromEntries(lists) }
    try {
      return await tw.request('PATCH', path, { ifMatch: `"${now.id}.${now.version}"`, ...options, body: edited })
    } catch (error) {
      const isOutrun = error instanceof PreconditionFailedError && options.ifMatch === undefined
      if (!isOutrun || attempt === mostAttempts) throw error
    }
  }
}
