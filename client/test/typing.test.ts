import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { routes } from '../../server/src/resources/index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const client = fileURLToPath(new URL('../src/index.ts', import.meta.url))
const typing = readFileSync(new URL('typing.ts', import.meta.url), 'utf8')

interface Case {
  line: number
  code: number
  what: string
}

/** What must not compile: the line behind each comment, and the number of its error. */
const cases = typing.split('\n').flatMap((text, i): Case[] => {
  const [, code, what = ''] = /^ *\/\/ @ts-expect-error (\d+): (.+)$/.exec(text) ?? []
  return code === undefined ? [] : [{ line: i + 2, code: Number(code), what }]
})

/** What comments of documentation say is an example, with the name of the method behind it. */
const examples = [
  ...readFileSync(new URL('../src/generated/operations.ts', import.meta.url), 'utf8').matchAll(
    / \* @example\n((?: +\* .*\n)+) +\*\/\n +(\w+)/g,
  ),
].map(([, comment = '', name = '']) => ({ name, code: comment.replace(/^ +\* /gm, '') }))

test('each of these fails to compile for its own reason, and the rest of its file compiles', () => {
  assert.deepEqual(
    cases.map(({ what }) => what),
    [
      'a field that no task has',
      'a text that may be null, unchecked',
      'what was not included',
      'what was not included, beside what was',
      'what was included may be null, unchecked',
      'a field that was not asked for',
      'a part by a word that is known only at run time, unchecked',
      'a field that cards have only where it is asked for',
      'a word that include does not take here',
      'include where nothing can be included',
      'a field that no task has, asked for',
      'a filter that there is not',
      'a word that a filter does not take',
      'a text for a number',
      'a query without what it needs',
      'no query where it needs one',
      'a report by what there is not',
      'a body without a field that it needs',
      'a body with a field that it does not take',
      'null where a body takes none',
      'a field that cannot be edited',
      'time on nothing',
      'time on two things',
      'time with two ends',
      'a move to two places',
      'an edit without an id',
      'one id where it takes two',
      'two ids where it takes one',
      'an option that the operation does not heed',
      'a key for what is no POST',
      'a type that no event has',
      'a field of the snapshot that another type has',
      'an operation that there is not',
      'something in the answer to a deletion',
    ],
  )
  const unheld = typing.replaceAll('@ts-expect-error', 'expected')
  assert.deepEqual(
    errorsIn(unheld),
    cases.map(({ line, code }) => ({ line, code })),
  )
})

test('each operation has an example that compiles, and the documentation page has the same', () => {
  const shown = JSON.parse(readFileSync(join(root, 'server/docs-page/examples.json'), 'utf8')) as Record<
    string,
    { sdk: string }
  >
  assert.deepEqual(
    Object.values(shown)
      .map(({ sdk }) => `${sdk}\n`)
      .toSorted(),
    examples.map(({ code }) => code).toSorted(),
  )
  assert.deepEqual(
    examples.map(({ name }) => name).toSorted(),
    routes.map(({ name }) => name.split('.').at(-1)).toSorted(),
  )
  const ids = new Set(examples.flatMap(({ code }) => code.match(/(?<!\.)\b\w+(?:Id|To)\b(?!:)/g) ?? []))
  const code = [
    "import { Taskwright } from '../src/index.ts'",
    "const tw = new Taskwright({ baseUrl: '', apiKey: '' })",
    `const [${[...ids].join(', ')}] = [] as unknown as [${[...ids].map(() => 'string').join(', ')}]`,
    ...examples.map((example) => `{\n${example.code}}`),
    'const wrong: number = tw',
  ].join('\n')
  // the last one shows that it was looked at
  assert.deepEqual(errorsIn(code), [{ line: code.split('\n').length, code: 2322 }])
})

test("the document's examples of bodies and responses have their types", () => {
  const { paths, components, webhooks } = JSON.parse(readFileSync(join(root, 'server/openapi.json'), 'utf8'))
  const facts = routes.flatMap(({ name, method, path }) => {
    const { requestBody, responses } = paths[`/api/v1${path}`][method.toLowerCase()]
    const typeName = name.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
    const body = requestBody?.content['application/json']
    const answer = (responses[200] ?? responses[201])?.content['application/json']
    const one = answer?.schema.$ref ?? answer?.schema.properties.data.items.$ref
    return [
      ...(Object.keys(components.schemas[body?.schema.$ref.split('/').at(-1)]?.properties ?? {}).length > 0
        ? [[body.example, `${typeName}Body`]]
        : []),
      // of an event in a list the document shows only the beginning of its snapshot
      ...(answer && one !== '#/components/schemas/Event'
        ? [[answer.schema.$ref ? answer.example : answer.example.data[0], one.split('/').at(-1)]]
        : []),
    ]
  })
  const events = Object.entries<{ post: { requestBody: { content: { 'application/json': { example: unknown } } } } }>(
    webhooks,
  )
  for (const [type, { post }] of events)
    facts.push([post.requestBody.content['application/json'].example, `EventOf<'${type}'>`])
  const code = [
    "import type * as types from '../src/index.ts'",
    ...facts.map(([example, type]) => `;(${JSON.stringify(example)}) satisfies types.${type}`),
    ";({ name: 'Urgent', color: 1 }) satisfies types.TagsCreateBody",
  ]
  assert.ok(facts.length > routes.length)
  assert.deepEqual(errorsIn(code.join('\n')), [{ line: code.length, code: 2322 }])
})

/** What TypeScript says of code, as the whole of the repository is compiled. */
function errorsIn(code: string): Omit<Case, 'what'>[] {
  const folder = mkdtempSync(join(tmpdir(), 'typing-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(folder, 'code.ts'), code.replace('../src/index.ts', client))
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')] }
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['code.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((text) => {
    const [, line, code] = /^[^ (].*\((\d+),\d+\): error TS(\d+):/.exec(text) ?? []
    return code === undefined ? [] : [{ line: Number(line), code: Number(code) }]
  })
}
