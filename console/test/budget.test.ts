import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startConsole } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()
const budget = JSON.parse(await readFile(new URL('../budget.json', import.meta.url), 'utf8'))

test('the scripts that the page loads at once stay within their budget', async () => {
  const page = await (await fetch(`${base}/console`)).text()
  const scripts = [...page.matchAll(/(?:href|src)="([^"]+\.js)"/g)].map(([, path = '']) => path)
  assert.ok(scripts.length > 0)
  const sizes = scripts.map(
    async (path) => gzipSync(await (await fetch(new URL(path, `${base}/console`))).text()).length,
  )
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  assert.ok(bytes <= budget.firstLoadScriptBytes, `${bytes} bytes`)
})

visit('a first load of a board takes few calls and few bytes, with all parts of the page', async (visit) => {
  const { member, board, tasks } = await newScene()
  const { page } = await visit.another()
  await page.goto(`${base}/docs`)
  await page.evaluate(`sessionStorage.setItem('taskwright.key', ${JSON.stringify(member.key)})`)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  const calls: string[] = []
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  page.on('request', (request) => {
    const [, call] = /\/api\/v1(\/.*)/.exec(request.url()) ?? []
    if (call && request.headers().accept !== 'text/event-stream') calls.push(call)
  })
  await page.goto(`${base}/console/board/${board.id}`)
  await page
    .getByRole('link', { name: new RegExp(tasks.form.name) })
    .first()
    .waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  assert.ok(calls.length <= budget.coldBoardCalls, calls.join('\n'))
  assert.ok(bytes > 0 && bytes <= budget.coldBoardBytes, `${bytes} bytes`)
})
