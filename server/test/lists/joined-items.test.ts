import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { stripItems } from '../../src/lists/joined-items.ts'

const [gone, left] = [randomUUID(), randomUUID()]
const strip = (item: { tagIds: string[] }) => ({ ...item, tagIds: item.tagIds.filter((id) => id !== gone) })

test('only joined items that name a resource that is being detached are parsed and rebuilt', () => {
  const bears = (id: string) => `{"id":"${randomUUID()}","tagIds":["${id}","${left}"]}`
  // no JSON, so that it shows whether anybody parses it
  const other = `{"id":"${randomUUID()}","tagIds":["${left}"],"text":…}`
  const [first, last] = [bears(gone), bears(gone)]
  const without = (text: string) => text.replace(`"${gone}",`, '')
  for (const ids of [[gone], [randomUUID(), gone]])
    assert.equal(stripItems([first, other, last].join(), strip, ids), [without(first), other, without(last)].join())
  assert.equal(stripItems('', strip, [gone]), '')
})

test('all items are checked when very many resources are being detached', () => {
  const text = `{"id":"${randomUUID()}","tagIds":["${gone}","${left}"]}`
  const ids = [...Array.from({ length: 40 }, () => randomUUID()), gone]
  assert.equal(stripItems(text, strip, ids), text.replace(`"${gone}",`, ''))
})
