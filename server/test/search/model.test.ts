import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../support/rounds.ts'
import { type Api, created, sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

const words = ['red', 'redder', 'reddest', 'fox', 'hen', 'Hén', 'a', 'straße', 'x'.repeat(70), `${'x'.repeat(69)}y`]

interface Kept {
  id: string
  project: number
  name: string
  description: string | null
  priority: string
  gone: boolean
}

/** As docs/finding.md says it, of texts that only need to be in lower case, without an accent and with ss for ß. */
const folded = (text: string) => text.toLowerCase().replaceAll('é', 'e').replaceAll('ß', 'ss')
const wordsIn = (text: string | null) => folded(text ?? '').match(/\w+/g) ?? []

interface Asked {
  not: boolean
  words: string[]
  quoted: boolean
  begins: boolean
}

const written = ({ not, words, quoted, begins }: Asked) =>
  `${not ? '-' : ''}${quoted ? `"${words.join(' ')}"` : words[0]}${begins && !quoted ? '*' : ''}`

function holds(texts: string[][], { words, quoted, begins }: Asked): boolean {
  const wanted = (quoted ? words : words.slice(0, 1)).map(folded)
  return texts.some((all) =>
    all.some((_, at) =>
      wanted.every((word, i) => {
        const there = all[at + i]
        return there === word || (begins && !quoted && there?.startsWith(word) === true)
      }),
    ),
  )
}

const matches = ({ name, description }: Kept, either: Asked[][]) =>
  either.some((terms) => terms.every((term) => holds([wordsIn(name), wordsIn(description)], term) !== term.not))

/** 4 to 0: the name is what was typed; all in the name as typed, in the name, anywhere as typed, anywhere. */
function rankOf({ name, description }: Kept, either: Asked[][]): number {
  if (wordsIn(name).join(' ') === wordsIn(inFull(either)).join(' ')) return 4
  const among = (texts: string[][], whole: boolean) =>
    either.some((terms) =>
      terms.filter(({ not }) => !not).every((term) => holds(texts, whole ? { ...term, begins: false } : term)),
    )
  const [inName, all] = [[wordsIn(name)], [wordsIn(name), wordsIn(description)]]
  return among(inName, true) ? 3 : among(inName, false) ? 2 : among(all, true) ? 1 : 0
}

const text = (most: number) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((some) => some.join(' '))
const term = fc.record({
  not: fc.boolean(),
  words: fc.array(fc.constantFrom('red', 'fox', 'hen', 'a', 'strasse', 'x'.repeat(70)), { minLength: 1, maxLength: 3 }),
  quoted: fc.boolean(),
  begins: fc.boolean(),
})
const inFull = (either: Asked[][]) => either.map((terms) => terms.map(written).join(' ')).join(' or ')
const longest = 255
const query = fc
  .array(fc.array(term, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
  .filter((either) => inFull(either).length <= longest)

/** All that a list finds, page by page. */
async function all(api: Api, path: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const { status, text, body } = await api.get(`${path}&limit=3${cursor}`)
    assert.equal(status, 200, `${path}: ${text}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (body.pagination.nextCursor === null) return ids
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

test('a search matches what its words say, after any writes, updates, deletions and restores, for any caller who sees it', async () => {
  const { owner, member, project, addToProject } = await newWorld()
  const projects = [await project(), await project(), await project()].map(({ id }) => id)
  for (const id of projects.slice(0, 2)) await addToProject(id, member, 'viewer')
  const kept: Kept[] = []
  const write = fc.record({
    what: fc.constantFrom('make', 'make', 'make', 'edit', 'delete', 'restore'),
    which: fc.nat(),
    project: fc.nat({ max: 2 }),
    name: text(4).filter((name) => name.length <= longest),
    description: fc.option(text(6)),
    priority: fc.constantFrom('none', 'high'),
  })
  const step = async ({ what, which, project, ...fields }: typeof write extends fc.Arbitrary<infer W> ? W : never) => {
    const there = kept.filter(({ gone }) => gone === (what === 'restore'))
    const one = there[which % there.length]
    if (what === 'make' || one === undefined) {
      const { id } = await created(owner.post('/tasks', { projectId: projects[project], ...fields }))
      kept.push({ id, project, gone: false, ...fields })
    } else if (what === 'edit') {
      assert.equal((await owner.patch(`/tasks/${one.id}`, fields)).status, 200)
      Object.assign(one, fields)
    } else {
      const path = `/tasks/${one.id}`
      const { status } = what === 'delete' ? await owner.delete(path) : await owner.post(`${path}/restore`)
      assert.ok([200, 204].includes(status))
      one.gone = what === 'delete'
    }
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 3, maxLength: 8 }),
      fc.array(query, { minLength: 4, maxLength: 6 }),
      async (writes, queries) => {
        for (const one of writes) await step(one)
        for (const either of queries) {
          const asksForWords = either.every((terms) => terms.some(({ not }) => !not))
          const q = encodeURIComponent(inFull(either))
          for (const [caller, sees] of [
            [owner, 3],
            [member, 2],
          ] as const) {
            const found = kept.filter((one) => !one.gone && one.project < sees && matches(one, either))
            const newest = found.toSorted((one, other) => (one.id < other.id ? 1 : -1))
            const ids = (some: Kept[]) => some.map(({ id }) => id)
            assert.deepEqual(await all(caller, `/tasks?q=${q}`), ids(newest), q)
            assert.deepEqual(
              await all(caller, `/tasks?q=${q}&priority=high`),
              ids(newest.filter(({ priority }) => priority === 'high')),
              q,
            )
            assert.deepEqual(
              await all(caller, `/tasks?q=${q}&projectId=${projects[1]}`),
              ids(newest.filter(({ project }) => project === 1)),
              q,
            )
            assert.deepEqual(await all(caller, `/tasks?q=${q}&sort=createdAt`), ids(newest.toReversed()), q)
            if (!asksForWords) continue
            const best = newest.toSorted((one, other) => rankOf(other, either) - rankOf(one, either))
            assert.deepEqual(await all(caller, `/tasks?q=${q}&sort=relevance`), ids(best), q)
            assert.deepEqual(await all(caller, `/tasks?q=${q}&sort=-relevance`), ids(best.toReversed()), q)
          }
        }
      },
    ),
    { numRuns: rounds(2, 12), endOnFailure: true },
  )
})
