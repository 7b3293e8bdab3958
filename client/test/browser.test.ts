import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { openChromium } from '../../server/test/support/slow/chromium.ts'
import { startServer } from '../../server/test/support/world.ts'
import type * as client from '../src/index.ts'

const pages = createServer(async ({ url }, response) => {
  if (url?.startsWith('/moved')) return void response.writeHead(302, { location: 'https://example.com/' }).end()
  const isScript = url === '/client.js'
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
  response.end(isScript ? await script() : '<!doctype html><title>A page of another origin</title>')
}).listen(0, '127.0.0.1')
after(() => pages.close())
await once(pages, 'listening')
const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
const { base, newWorld } = await startServer({ corsOrigins: [origin] })

/** The client as a bundler makes it for browsers. */
async function script(): Promise<Uint8Array> {
  const entryPoints = [fileURLToPath(new URL('../src/index.ts', import.meta.url))]
  const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', platform: 'browser', write: false })
  return outputFiles[0]?.contents ?? assert.fail()
}

test('a page of another origin lists, writes and follows events with the client, as CORS allows', async (t) => {
  const browser = await openChromium()
  if (typeof browser === 'string') return t.skip(browser)
  t.after(() => browser.close())
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(origin)
  const { owner, tag } = await newWorld()
  await tag({ name: 'Blue' })
  const came = await page.evaluate(
    async ([baseUrl, apiKey, place]) => {
      const { NotFoundError, Taskwright } = (await import(place)) as typeof client
      const tw = new Taskwright({ baseUrl, apiKey })
      const { latest } = await tw.events.getHead()
      const following = tw.events.stream({ after: latest, type: ['tag.*'] }).next()
      const { data, etag, requestId } = await tw.tags.create({ name: 'Red' }).withResponse()
      await tw.tags.update(data.id, { name: 'Green' }, { ifMatch: etag })
      const names = []
      for await (const { name } of tw.tags.list({ limit: 1 })) names.push(name)
      const missing = await tw.tags.get(baseUrl).catch((error: unknown) => error)
      const { value } = await following
      const moved = new Taskwright({ baseUrl: `${new URL(place).origin}/moved`, apiKey })
      return {
        names,
        seen: value?.snapshot.name,
        requestId,
        moved: await moved.me.get().then(String, String),
        missing: missing instanceof NotFoundError && missing.code,
      }
    },
    [base, owner.key, `${origin}/client.js`] as const,
  )
  assert.deepEqual(came.names, ['Blue', 'Green'])
  assert.equal(came.seen, 'Red')
  assert.match(String(came.requestId), /./)
  assert.equal(came.missing, 'not_found')
  assert.equal(came.moved, `UnexpectedAnswerError: ${origin}/moved/api/v1/me redirects to another URL. Check baseUrl.`)
  assert.deepEqual(complaints, [])
})
