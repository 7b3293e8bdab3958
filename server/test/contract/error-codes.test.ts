import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { errorCodes } from '../../src/contract/error-codes.ts'
import { openapi } from '../../src/openapi/openapi.ts'
import { eventTypes, routes } from '../../src/resources/index.ts'
import { pages } from '../documentation/pages.ts'

const listed = Object.keys(errorCodes)
const sources = new URL('../../src/', import.meta.url)
const source = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && path !== 'contract/error-codes.ts')
  .map((path) => readFileSync(new URL(path, sources), 'utf8'))
  .join('')

test('every listed error code is thrown somewhere, and every thrown code is listed', () => {
  const unthrown = listed.filter((code) => !source.includes(`'${code}'`))
  assert.deepEqual(unthrown, [])
  // that none else is thrown is in the types; this is for what would go by them
  const thrown = [
    ...source.matchAll(/(?:refused|forbidden|badRequest|conflict)\((?:[^()]|\([^()]*\))*?'(\w+)',?\s*\)/g),
  ]
  assert.ok(thrown.length > 40, String(thrown.length))
  assert.deepEqual(
    thrown.map(([, code = '']) => code).filter((code) => /^[a-z]+_[a-z_]+$/.test(code) && !listed.includes(code)),
    [],
  )
})

test('the document lists every error code, and says that others can be added', () => {
  const { headers } = openapi(routes, eventTypes, '0.1.0').components as {
    headers: Record<string, { schema: { anyOf: { enum?: string[]; pattern?: string }[] } }>
  }
  const [known, later] = headers['X-Error-Code']?.schema.anyOf ?? []
  assert.deepEqual(known?.enum, listed)
  assert.match('something_new', new RegExp(later?.pattern ?? '^$'))
})

test('the page of errors lists every code below its status, and no other code', () => {
  const text = pages.find(({ name }) => name === 'docs/errors.md')?.text ?? ''
  const told = [...text.matchAll(/^### (\d{3}) .*\n((?:(?!### ).*\n)*)/gm)].flatMap(([, status, section = '']) =>
    [...section.matchAll(/^\| `(\w+)` \| .+ \| .+ \|$/gm)].map(([, code]) => [code, Number(status)]),
  )
  assert.deepEqual(told.toSorted(), listed.map((code) => [code, errorCodes[code as never][0]]).toSorted())
})
