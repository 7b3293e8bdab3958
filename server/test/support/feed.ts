import assert from 'node:assert/strict'
import type { Event } from '../../src/resources/events/event.ts'
import type { Api } from './world.ts'

export type { Event }

/** All events of a feed that a caller gets, by as many pages as it takes. */
export async function readFeed({ get }: Pick<Api, 'get'>, query = ''): Promise<Event[]> {
  const events: Event[] = []
  const asked = new URLSearchParams(query)
  for (let last: string | null = ''; last !== null; ) {
    const { status, body, text } = await get(`/events?${asked}`)
    // the server is busy
    if (status === 503) continue
    assert.equal(status, 200, text)
    events.push(...body.data)
    last = body.pagination.nextCursor
    if (last !== null) asked.set('cursor', last)
  }
  return events
}
