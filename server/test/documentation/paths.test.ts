import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesPassed } from '../support/passing.ts'
import { type Api, type Reply, startServer } from '../support/world.ts'
import { pages } from './pages.ts'

const text = pages.find(({ name }) => name === 'docs/architecture.md')?.text ?? ''

/** The request that each section of the page describes. */
const requests: Record<string, (api: Api, n: number) => Promise<Reply>> = {
  'A read': ({ get }, n) => get(`/tasks?q=task&limit=${n}`),
  'A keyed write': ({ post }, n) => post('/tags', { name: `Tag ${n}` }, { 'idempotency-key': `${n}` }),
}

for (const [heading, send] of Object.entries(requests)) {
  test(`the architecture page names the files that a request passes, and no others: ${heading}`, async () => {
    const { newWorld } = await startServer({ checkAnswers: false })
    const { join, project, task } = await newWorld()
    await task({ projectId: (await project()).id })
    // the first request fills caches; the second key is one that no request has used yet
    const [first, second] = [await join('First', 'admin'), await join('Second', 'admin')]
    await send(first, 1)
    const passed = await filesPassed(async () => assert.match(String((await send(second, 2)).status), /^20[01]$/))
    // the files of db depend on concurrent work; a read may meet the notice of a write before it
    const ofNotice = heading === 'A read' ? ['events/notices.ts', 'resources/events/streams/streams.ts'] : []
    const isOfRequest = (file: string) => !file.startsWith('db/') && !ofNotice.includes(file)
    assert.deepEqual(filesUnder(heading).filter(isOfRequest).toSorted(), passed.filter(isOfRequest))
  })
}

/** The files in the table of a section. */
function filesUnder(heading: string): string[] {
  const section = new RegExp(`^## ${heading}\\n([^]*?)(?=^##)`, 'm').exec(text)?.[1] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return [...rows.join('\n').matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file)
}
