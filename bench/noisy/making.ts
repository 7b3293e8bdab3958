import type { Client } from './client.ts'

/** Where the API begins. */
export const api = '/api/v1'

/** The body of a bulk of so many operations. */
export const bulkOf = (count: number, operation: (n: number) => object) => ({
  operations: Array.from({ length: count }, (_, n) => operation(n)),
})

/** A task in a project of its own. */
export async function aTask({ make }: Client): Promise<{ id: string; projectId: string }> {
  const { id: projectId } = await make(`${api}/projects`, { name: 'A project' })
  return make(`${api}/tasks`, { projectId, name: 'A task' })
}

/**
 * Makes so many, or as many as may be: those behind the first bulk that is refused are left out.
 * @returns their ids
 */
export async function makeMany(
  { make }: Client,
  count: number,
  operation: (n: number) => object,
  atOnce = 100,
): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const from = ids.length
    const bulk = bulkOf(Math.min(atOnce, count - from), (n) => operation(from + n))
    const made = await make(`${api}/bulk`, bulk).catch((error: unknown) => {
      if (from === 0) throw error
    })
    if (made === undefined) break
    ids.push(...made.results.map(({ body }: { body: { id: string } }) => body.id))
  }
  return ids
}
