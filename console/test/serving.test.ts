import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { withPaths } from '../../server/test/support/page-links.ts'
import { sharedServer } from '../../server/test/support/world.ts'

const { base, port } = await sharedServer()

/** The status of a path as it is written, dots and all, and what is answered in which encoding. */
const asked = (path: string, method = 'GET', encoding = 'identity') =>
  new Promise<{ status: number | undefined; type: string; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      request({ port, path, method, headers: { 'accept-encoding': encoding } }, async (response) => {
        const body = Buffer.concat(await response.toArray())
        const { statusCode: status, headers } = response
        resolve({ status, headers, type: String(headers['content-type']), body })
      })
        .on('error', reject)
        .end()
    },
  )

const pageAt = async (path: string) => withPaths((await asked(path)).body.toString(), path)
const page = await pageAt('/console')
const named = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)

test('the page names its parts by their content, has nothing inline, and is revalidated each time', async () => {
  assert.ok(named.some((path) => path.endsWith('.js')) && named.some((path) => path.endsWith('.css')))
  for (const path of named) assert.match(path, /^\/console\/[\w-]+-[A-Z0-9]{8}\.(js|css|svg)$/)
  assert.doesNotMatch(page, /<style|<script(?![^>]* src=)| style=| on\w+=|src\//)
  const { headers } = await asked('/console')
  assert.equal(headers['cache-control'], 'no-cache')
  const again = await fetch(`${base}/console`, { headers: { 'if-none-match': String(headers.etag) } })
  assert.deepEqual([again.status, again.headers.get('etag')], [304, headers.etag])
})

test('parts are cached for good, with their type, and pages and pictures have a policy', async () => {
  for (const path of ['/console', ...named]) {
    const { status, headers, type, body } = await asked(path)
    assert.equal(status, 200, path)
    assert.match(
      type,
      { js: /^text\/javascript/, css: /^text\/css/, svg: /^image\/svg/ }[path.split('.')[1] ?? ''] ?? /^text\/html/,
    )
    if (path !== '/console') assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    const head = await asked(path, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, String(body.length), 0])
    // a browser applies a policy to pages and pictures only
    if (/\.(js|css)$/.test(path)) continue
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; .*trusted-types 'none'$/,
    )
    assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|\*|http|data:|blob:/)
  }
})

test('a part is sent with a compression that the client accepts', async () => {
  const parts = await Promise.all(named.map(async (path) => ({ path, body: (await asked(path)).body })))
  const { path, body } = parts.reduce((one, other) => (one.body.length > other.body.length ? one : other))
  const { headers, body: sent } = await asked(path, 'GET', 'gzip')
  assert.equal(headers['content-encoding'], 'gzip')
  assert.ok(sent.length < body.length / 2)
  assert.deepEqual(gunzipSync(sent), body)
})

test('every address of the page itself returns the page', async () => {
  for (const path of ['/console/', '/console/board/0197-x', '/console/list?q=v1.2', '/console/a/b/c/'])
    assert.equal(await pageAt(path), page, path)
  assert.equal((await asked('/console/a/b/c/d/e/f/g/h')).status, 404)
})

test('a missing file gets 404, with any spelling of its path', async () => {
  const outside = [
    '../package.json',
    '..%2fpackage.json',
    '%2e%2e/package.json',
    '..\\package.json',
    '//etc/passwd.txt',
  ]
  for (const path of ['nothing.js', 'index.html', 'files.json', 'main.js', 'board/main.js', '.env', ...outside]) {
    const { status, headers } = await asked(`/console/${path}`)
    assert.deepEqual([status, headers['x-error-code']], [404, 'not_found'], path)
  }
  for (const path of ['../../../../etc/passwd', '%2e%2e/%2e%2e/etc/passwd', 'a/../../README'])
    assert.ok(
      [404, 200].includes((await asked(`/console/${path}`)).status ?? 0) &&
        !/root:/.test(String((await asked(`/console/${path}`)).body)),
    )
  assert.equal((await asked('/consoles')).status, 404)
})

test('the page takes only reads', async () => {
  for (const path of ['/console', '/console/', '/console/board/1', named[0] ?? '']) {
    const { status, headers } = await asked(path, 'POST')
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'], path)
  }
})
