import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalidFields } from '../support/envelope.ts'
import { sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

const names = [
  'Bug: login/logout',
  'Éclair',
  'große Straße',
  "O'Neil",
  '日本語・テスト',
  '🚀 Launch',
  '100 % (really)',
  'Über-Bug',
  '***',
]

for (const path of ['/tags', '/task-types', '/members']) {
  test(`${path} finds an item by the start of any word of its name, ignoring case and accents`, async () => {
    const { owner } = await newWorld()
    for (const [i, name] of names.entries()) {
      const email = path === '/members' ? { email: `m${i}@example.com` } : {}
      assert.equal((await owner.post(path, { name, ...email })).status, 201, name)
    }
    const found = async (q: string) => {
      const { status, body } = await owner.get(`${path}?q=${encodeURIComponent(q)}`)
      assert.deepEqual([status, body.total], [200, body.data.length], q)
      return body.data.map(({ name }: { name: string }) => name)
    }
    const cases: [string, string[]][] = [
      ['bug', ['Bug: login/logout', 'Über-Bug']],
      ['LOGO', ['Bug: login/logout']],
      ['login/lo', ['Bug: login/logout']],
      ['out', []],
      ['ecl', ['Éclair']],
      ['clair', []],
      ['STRASSE', ['große Straße']],
      ['str gro', ['große Straße']],
      ['gros tr', []],
      ['neil', ["O'Neil"]],
      ['テス', ['日本語・テスト']],
      ['本語', ['日本語・テスト']],
      ['launch', ['🚀 Launch']],
      ['🚀', ['🚀 Launch']],
      ['100 really', ['100 % (really)']],
      ['1%', ['100 % (really)']],
      ['**', ['***']],
      ['_ug', []],
      ['uber bu', ['Über-Bug']],
      ['uberbug', []],
    ]
    for (const [q, expected] of cases) assert.deepEqual(await found(q), expected, q)
    for (const wrong of ['', '%20', '%CC%81', 'a&q=b', 'x'.repeat(256)])
      assert.deepEqual(invalidFields(await owner.get(`${path}?q=${wrong}`)), ['q'])
    const many = await owner.get(`${path}?q=${'qx+'.repeat(85)}`)
    assert.deepEqual([many.status, many.body.total], [200, 0])
  })
}

test('/members also finds a member by the start of the e-mail address', async () => {
  const { owner } = await newWorld()
  await owner.post('/members', { name: 'Ann Example', email: 'head.office@example.com' })
  const found = async (q: string) => (await owner.get(`/members?q=${encodeURIComponent(q)}`)).body.data.length
  assert.deepEqual(
    await Promise.all(['HEAD.off', 'head.office@example.com', 'office', 'ex', 'head%'].map(found)),
    [1, 1, 0, 1, 0],
  )
})
