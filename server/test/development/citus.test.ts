import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { filesNotOnCitus } from '../support/citus.ts'

const here = new URL('../', import.meta.url)
const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))

/** What no cluster answers. */
const ofOnePostgres =
  /support\/(?:plans|skewed|archives)\.ts|archive\/back-up\.ts|create trigger|\bctid\b|returning to_json/

test('a test that asks one PostgreSQL for plans, triggers, row places, JSON rows or a backup is marked as not for Citus', () => {
  const others = files.filter((file) => !file.startsWith('development/'))
  const silent = others.filter((file) => {
    const text = readFileSync(new URL(file, here), 'utf8')
    return ofOnePostgres.test(text) && !/\bonPlainPostgres\(|\bonlyOnCitus\b/.test(text) && !(file in filesNotOnCitus)
  })
  assert.deepEqual(silent, [])
})

test('a test file that fills its tables before its tests by statements of one PostgreSQL is skipped on Citus as a whole', () => {
  const filling = files.filter((file) => /^await fillUnevenly\(/m.test(readFileSync(new URL(file, here), 'utf8')))
  assert.deepEqual(
    filling.filter((file) => !(file in filesNotOnCitus)),
    [],
  )
})

test('bench/README.md names each file that is skipped on Citus', () => {
  const page = readFileSync(new URL('../../bench/README.md', here), 'utf8')
  assert.deepEqual(
    Object.keys(filesNotOnCitus).filter((file) => !page.includes(`\`${file.replace('.test.ts', '')}\``)),
    [],
  )
})

test('the files that are not for Citus exist', () => {
  assert.deepEqual(
    Object.keys(filesNotOnCitus).filter((file) => !files.includes(file)),
    [],
  )
})
