import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { normalizeText } from '../../src/db/normalize-text.ts'
import { sql } from '../../src/db/sql.ts'
import { migratedDatabase, sharedServer, startServer } from '../support/world.ts'

/** Two words of each script that differ only in marks, which are no accents. */
const pairs = {
  Devanagari: ['नदी', 'नाद'],
  'Devanagari without its nukta': ['बड़ा', 'बडा'],
  Tamil: ['கல்', 'கலை'],
  Thai: ['ที่', 'ทุ'],
  Hiragana: ['かき', 'かぎ'],
  Cyrillic: ['мой', 'мои'],
  'Katakana of half width': ['ﾊﾝ', 'ﾊﾟﾝ'],
} as const

const { newWorld } = await sharedServer()
const { url, drop } = await migratedDatabase()
const { db, ...updated } = await startServer({ url })
after(drop)

test('marks are accents in the scripts of Europe, Hebrew and Arabic, and letters in the others, and in й, ў, ї, ѓ and ќ', () => {
  const same = [
    'Ậu = au',
    'ñandú = nandu',
    'Άνω = ανω',
    'Ёлка = елка',
    'за́мок = замок',
    'מִלָּה = מלה',
    'مُحَمَّد = محمد',
    '1\ufe0f\u20e3 = 1',
  ]
  for (const [one, other] of same.map((pair) => pair.split(' = '))) assert.equal(normalizeText(one ?? ''), other, one)
  for (const [one, other] of Object.values(pairs)) assert.notEqual(normalizeText(one), normalizeText(other), one)
  for (const letter of 'йўїѓќ') {
    const [base = '', mark = ''] = letter.normalize('NFD')
    for (const written of [letter, letter.toUpperCase(), base + mark, `${base}\u0323${mark}`, `${letter}\u0300`])
      assert.equal(normalizeText(`а${written}б`), `а${letter}б`, written)
  }
  // written in one or two characters, at half or full width
  assert.equal(normalizeText('か\u3099'), normalizeText('が'))
  assert.equal(normalizeText('ﾊﾟﾝ'), normalizeText('パン'))
})

for (const [script, [one, other]] of Object.entries(pairs)) {
  test(`${script}: names that differ in a mark are two names, and a search finds only one of them`, async () => {
    const { owner, project, task, workspace, tag, taskType } = await newWorld()
    for (const name of [one, other]) {
      await tag({ name })
      await taskType({ name })
    }
    assert.equal((await owner.post('/tags', { name: one })).status, 422)
    await workspace({ stages: [one, other] })
    const { id: projectId } = await project({ name: one })
    await project({ name: other })
    for (const name of [one, other]) await task({ projectId, name: `1 ${name} 2` })
    for (const name of [one, other]) {
      const found = async (path: string) =>
        (await owner.get(`${path}?q=${encodeURIComponent(name)}`)).body.data.map((row: { name: string }) => row.name)
      assert.deepEqual(await found('/tasks'), [`1 ${name} 2`])
      assert.deepEqual(await found('/projects'), [name])
    }
  })
}

test('names that were folded without their marks are folded again when the server is updated', async () => {
  const { project, tag } = await updated.newWorld()
  await project({ name: 'Мой' })
  await tag({ name: 'Мой' })
  await tag({ name: 'Café' })
  const kept = () =>
    db.rows(sql`select name_key as folded from tags union all select name_key from projects order by folded`)
  const now = await kept()
  await db.rows(sql`update tags set name_key = 'мои' where name = 'Мой'`)
  await db.rows(sql`update projects set name_key = 'мои'`)
  await db.rows(sql`delete from migrations where name like '0072%'`)
  assert.notDeepEqual(await kept(), now)
  assert.deepEqual(await migrate({ connectionString: url }), ['0072_letters_with_marks.sql'])
  assert.deepEqual(await kept(), now)
})
