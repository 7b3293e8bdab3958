import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

/** The names of the tasks that a search finds, in alphabetical order. */
async function found({ get }: Api, q: string): Promise<string[]> {
  const { status, text, body } = await get(`/tasks?q=${encodeURIComponent(q)}`)
  assert.equal(status, 200, `${q}: ${text}`)
  return body.data.map(({ name }: { name: string }) => name).toSorted()
}

/** A world with tasks of these names, or names and descriptions. */
async function having(...tasks: (string | { name: string; description: string })[]) {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const made = []
  for (const task of tasks)
    made.push(await world.task({ projectId, ...(typeof task === 'string' ? { name: task } : task) }))
  return { ...world, projectId, made }
}

test('a search finds words in any case and accents', async () => {
  const { owner } = await having('Résumé prüfen', 'Smörgåsbord', 'Encyclopædia ﬁle', 'İstanbul')
  for (const q of ['resume', 'RÉSUMÉ', 'PRUFEN', 're\u0301sume\u0301', 'Resume Prufen']) {
    assert.deepEqual(await found(owner, q), ['Résumé prüfen'], q)
  }
  assert.deepEqual(await found(owner, 'smorgasbord'), ['Smörgåsbord'])
  assert.deepEqual(await found(owner, 'FILE'), ['Encyclopædia ﬁle'])
  assert.deepEqual(await found(owner, 'istanbul'), ['İstanbul'])
})

test('ß is found as ss and ς as σ, because their capitals are the same', async () => {
  const { owner } = await having('Straße', 'Οδός')
  for (const q of ['straße', 'STRASSE', 'strasse', 'STRAẞE']) assert.deepEqual(await found(owner, q), ['Straße'], q)
  for (const q of ['ΟΔΟΣ', 'οδος', 'οδοσ']) assert.deepEqual(await found(owner, q), ['Οδός'], q)
})

test('all words must be in the name or the description, in any order', async () => {
  const { owner } = await having({ name: 'Paint the fence', description: 'in **green**, twice' }, 'Paint the door')
  assert.deepEqual(await found(owner, 'green paint'), ['Paint the fence'])
  assert.deepEqual(await found(owner, 'paint'), ['Paint the door', 'Paint the fence'])
  assert.deepEqual(await found(owner, 'green door'), [])
  assert.deepEqual(await found(owner, 'door or twice'), ['Paint the door', 'Paint the fence'])
})

test('quotes make a phrase and a minus excludes', async () => {
  const { owner } = await having('big red fox', 'red big fox', 'red panda')
  assert.deepEqual(await found(owner, '"red fox"'), ['big red fox'])
  assert.deepEqual(await found(owner, 'red -panda'), ['big red fox', 'red big fox'])
  assert.deepEqual(await found(owner, 'fox -"red fox"'), ['red big fox'])
  assert.deepEqual(await found(owner, '-fox'), ['red panda'])
})

test('words are found with anything between them', async () => {
  const { owner } = await having(
    'Fix login/logout',
    'See docs.example.com',
    'well-known bug',
    'a_b',
    'v2.5-beta',
    '🚀launch🚀',
  )
  assert.deepEqual(await found(owner, 'logout'), ['Fix login/logout'])
  assert.deepEqual(await found(owner, 'login/logout'), ['Fix login/logout'])
  assert.deepEqual(await found(owner, 'example'), ['See docs.example.com'])
  assert.deepEqual(await found(owner, 'docs.example.com'), ['See docs.example.com'])
  assert.deepEqual(await found(owner, 'known'), ['well-known bug'])
  assert.deepEqual(await found(owner, 'well-known'), ['well-known bug'])
  assert.deepEqual(await found(owner, 'beta'), ['v2.5-beta'])
  assert.deepEqual(await found(owner, 'launch'), ['🚀launch🚀'])
})

test('a phrase is found anywhere, however often its words came before it', async () => {
  const often = (word: string, times: number) => `${word} `.repeat(times)
  const { owner } = await having(
    { name: 'often', description: `${often('red', 300)} fox, big ${often('red', 3)} panda` },
    { name: 'far', description: `${often('a', 17_000)} red fox` },
    { name: 'apart', description: `${often('red', 300)} and fox` },
    { name: 'near', description: 'red fox' },
  )
  assert.deepEqual(await found(owner, '"red fox"'), ['far', 'near', 'often'])
  assert.deepEqual(await found(owner, '"RED panda"'), ['often'])
  assert.deepEqual(await found(owner, 'fox -"red fox"'), ['apart'])
  assert.deepEqual(await found(owner, '-"red fox"'), ['apart'])
  assert.deepEqual(await found(owner, '"and fox" or "red panda"'), ['apart', 'often'])
  assert.deepEqual(await found(owner, '"fox red"'), [])
  assert.deepEqual(await found(owner, 'a "red fox"'), ['far'])
})

test('a phrase must be in the name or in the description, not across both', async () => {
  const { owner, made } = await having(
    { name: 'call the plumber', description: 'tomorrow morning' },
    'plumber tomorrow',
  )
  assert.deepEqual(await found(owner, '"plumber tomorrow"'), ['plumber tomorrow'])
  assert.deepEqual(await found(owner, 'plumber -"plumber tomorrow"'), ['call the plumber'])
  await owner.patch(`/tasks/${made[0].id}`, { description: 'the plumber tomorrow' })
  assert.deepEqual(await found(owner, '"plumber tomorrow"'), ['call the plumber', 'plumber tomorrow'])
  assert.deepEqual(await found(owner, 'ς'), [])
})

test('a minus before words that a symbol joins excludes them together', async () => {
  const { owner } = await having('well-known bug', 'well, a known bug')
  assert.deepEqual(await found(owner, 'bug -well-known'), ['well, a known bug'])
})

test('a changed name or description is found, and the old one is not', async () => {
  const { owner, made } = await having({ name: 'alpha', description: 'beta' })
  const [{ id }] = made
  await owner.patch(`/tasks/${id}`, { name: 'gamma' })
  assert.deepEqual([await found(owner, 'alpha'), await found(owner, 'gamma beta')], [[], ['gamma']])
  await owner.patch(`/tasks/${id}`, { description: 'delta' })
  assert.deepEqual([await found(owner, 'beta'), await found(owner, 'gamma delta')], [[], ['gamma']])
  await owner.patch(`/tasks/${id}`, { description: null })
  assert.deepEqual([await found(owner, 'delta'), await found(owner, 'gamma')], [[], ['gamma']])
  await owner.patch(`/tasks/${id}`, { priority: 'high' })
  assert.deepEqual(await found(owner, 'gamma'), ['gamma'])
  await owner.delete(`/tasks/${id}`)
  assert.deepEqual(await found(owner, 'gamma'), [])
  await owner.post(`/tasks/${id}/restore`)
  assert.deepEqual(await found(owner, 'gamma'), ['gamma'])
})

test('a search for the key of a task finds it, in any case, beside texts with its words', async () => {
  const { owner, member, made } = await having('alpha', 'beta')
  const [{ key }, other] = made
  await owner.patch(`/tasks/${other.id}`, { description: `see ${key}` })
  assert.deepEqual(await found(owner, key), ['alpha', 'beta'])
  assert.deepEqual(await found(owner, ` ${key.toLowerCase()} `), ['alpha', 'beta'])
  assert.deepEqual(await found(owner, `${key}0`), [])
  assert.deepEqual(await found(member, key), [])
  assert.deepEqual(await found((await newWorld()).owner, key), [])
})

test('a search finds nothing of other organizations or of projects that are not visible', async () => {
  const { owner, member, addToProject, projectId, project, task } = await having('secret plan')
  const other = await newWorld()
  assert.deepEqual([await found(other.owner, 'secret'), await found(member, 'secret')], [[], []])
  assert.deepEqual(await found(member, '-nothing'), [])
  const open = await project()
  await task({ projectId: open.id, name: 'open plan' })
  await addToProject(open.id, member, 'viewer')
  assert.deepEqual(await found(member, 'plan'), ['open plan'])
  await addToProject(projectId, member, 'viewer')
  assert.deepEqual(await found(member, 'plan'), ['open plan', 'secret plan'])
  await owner.delete(`/projects/${projectId}`)
  assert.deepEqual(await found(owner, 'plan'), ['open plan'])
})

test('any query gets 200 or 422', async () => {
  const { owner } = await having('plain', "O'Brien & sons: 100%")
  const odd = [
    ...[
      '"',
      '""',
      '"plain',
      "'",
      "''",
      '\\',
      '%',
      '_',
      '&',
      '|',
      '!',
      '!!!',
      '()',
      ':*',
      'plain:*',
      '<->',
      '---',
      '-',
      '*',
    ],
    ...['or', 'OR or', '-or', 'and', '"-"', '🚀', '👩‍👩‍👧', '\u200b', '../..', '; drop table tasks', '$1', '中文', '٣'],
    ...['x'.repeat(255), '"'.repeat(255), '-'.repeat(255), '(a'.repeat(127), '🚀'.repeat(255), 'ﷺ'.repeat(255)],
    ...['a '.repeat(127), '-a '.repeat(85), '"a" '.repeat(63)],
  ]
  for (const q of odd) await found(owner, q)
  assert.deepEqual(await found(owner, "o'brien"), ["O'Brien & sons: 100%"])
  assert.deepEqual(await found(owner, '!!!'), [])
  for (const q of ['', '%CC%81', '%20%20', '%00', 'a%00b', '%ED%A0%80', 'x'.repeat(256), 'a&q=b']) {
    const { status, text } = await owner.get(`/tasks?q=${q}`)
    assert.ok(status === 422 || (q === '%ED%A0%80' && [200, 404].includes(status)), `${q}: ${status} ${text}`)
  }
})

test('a task is stored with any words', async () => {
  const { owner, projectId, task } = await having()
  // each of these characters folds to six others, and a compound of words counts its parts too
  const squares = (seed: number) =>
    Array.from({ length: 60 }, (_, i) => ((seed >> (i % 15)) % 2 ? '㌖' : '㌫')).join('')
  const long = Array.from({ length: 400 }, (_, i) => `${squares(i * 2)}-${squares(i * 2 + 1)}`).join(' ')
  const texts = [
    long,
    'x'.repeat(50_000),
    'ﷺ'.repeat(50_000),
    'a-'.repeat(25_000),
    '/a.b'.repeat(12_500),
    '\u0301'.repeat(9),
    '\u093f'.repeat(50_000),
    Array.from({ length: 12_500 }, (_, i) => `क\u093f${String.fromCodePoint(0x4e00 + i)}`).join(' '),
  ]
  for (const description of texts) {
    const { status, text } = await owner.post('/tasks', { projectId, name: 'Long', description })
    assert.equal(status, 201, text.slice(0, 200))
  }
  const { id } = await task({ projectId, name: 'Short' })
  assert.equal((await owner.patch(`/tasks/${id}`, { description: long })).status, 200)
})
