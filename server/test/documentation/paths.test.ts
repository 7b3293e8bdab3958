import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesPassed } from '../support/passing.ts'
import { type Api, type Reply, startServer } from '../support/world.ts'
import { pages } from './pages.ts'

const text = pages.find(({ name }) => name === 'docs/architecture.md')?.text ?? ''

interface Path {
  /** the section with what several requests pass */
  shared?: string
  send(api: Api, id: string, n: number): Promise<Reply>
}

/** What each section of the page tells of. */
const paths: Record<string, Path> = {
  'A write of a tag': {
    shared: 'Every write',
    send: ({ post }, _, n) => post('/tags', { name: `Tag ${n}` }, { 'idempotency-key': `${n}` }),
  },
  'An edit of a task': {
    shared: 'Every write',
    send: ({ patch }, id, n) => patch(`/tasks/${id}`, { dueDate: `2026-01-0${n}` }),
  },
  'A search for tasks': { send: ({ get }, _, n) => get(`/tasks?q=task&limit=${n}`) },
}

for (const [heading, { shared, send }] of Object.entries(paths)) {
  test(`the architecture page names the files that a request passes, and no others: ${heading}`, async () => {
    const { newWorld } = await startServer({ checkAnswers: false })
    const { join, project, task } = await newWorld()
    const { id } = await task({ projectId: (await project()).id })
    // the first request makes what is made once; the second key is one that nobody has asked with yet
    const [first, second] = [await join('First', 'admin'), await join('Second', 'admin')]
    await send(first, id, 1)
    const passed = await filesPassed(async () => assert.match(String((await send(second, id, 2)).status), /^20[01]$/))
    const named = [...(shared ? [shared] : []), heading].flatMap(filesUnder)
    // how deep in db it goes depends on what is in flight beside it; a read may meet the notice of a write before it
    const ofNotice = shared ? [] : ['events/notices.ts', 'resources/events/streams/streams.ts']
    const isOfRequest = (file: string) => !file.startsWith('db/') && !ofNotice.includes(file)
    assert.deepEqual(named.filter(isOfRequest).toSorted(), passed.filter(isOfRequest))
  })
}

function filesUnder(heading: string): string[] {
  const section = new RegExp(`^### ${heading}\\n([^]*?)(?=^##)`, 'm').exec(text)?.[1] ?? ''
  return [...section.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file)
}
