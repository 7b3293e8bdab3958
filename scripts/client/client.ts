import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Route } from '../../server/src/for-tools.ts'
import { interfaces } from './interfaces.ts'
import type { Document } from './json-schema.ts'
import { callsOf } from './operation.ts'
import { requestTypes } from './requests.ts'
import { type NamedWords, schemaTypes } from './schemas.ts'
import { operationTable } from './table.ts'

/** The generated files of the client, by their names in client/src/generated/. */
export function clientFiles(
  routes: readonly Route[],
  eventTypes: readonly { type: string }[],
  described: object,
): Record<string, () => string> {
  const document = described as Document
  const calls = callsOf(routes, document)
  const words = namedWords(eventTypes)
  const schemas = schemaTypes(document, calls, words)
  const requests = withImports(requestTypes(calls, words), { './schemas.ts': namesIn(schemas) })
  const operations = withImports(interfaces({ calls, document, words }), {
    '../answer.ts': ['Answer'],
    '../signatures.ts': ['Chosen', 'CursorPages', 'OffsetPages', 'Options', 'With'],
    './requests.ts': namesIn(requests),
    './schemas.ts': namesIn(schemas),
  })
  const files = {
    schemas,
    requests,
    operations,
    table: operationTable(calls),
    'event-types': eventTypeList(eventTypes),
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, code]) => [`${name}.ts`, () => formatted(`${name}.ts`, head + code)]),
  )
}

const head = '// made from the table of routes by `npm run generate`\n\n'

const eventTypeList = (eventTypes: readonly { type: string }[]) => `import type { EventType } from './schemas.ts'

/** Every type that an event may have, by nouns. */
export const eventTypes: readonly EventType[] = ${JSON.stringify(eventTypes.map(({ type }) => type))}
`

/** Word lists that many schemas share, by type name. */
function namedWords(eventTypes: readonly { type: string }[]): NamedWords {
  const types = eventTypes.map(({ type }) => type)
  const nouns = [...new Set(types.map((type) => `${type.split('.')[0]}.*`))]
  return new Map([
    ['EventType', types],
    ['EventFilter', [...nouns, ...types]],
  ])
}

const namesIn = (code: string) => [...code.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name)

/** Adds imports of the types that the code uses. */
function withImports(code: string, known: Record<string, readonly string[]>): string {
  const bare = code.replace(/\/\*\*[\s\S]*?\*\//g, '')
  const lines = Object.entries(known).flatMap(([from, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(bare))
    return used.length > 0 ? [`import type { ${used.sort().join(', ')} } from '${from}'\n`] : []
  })
  return `${lines.join('')}\n${code}`
}

const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url))

/** Formats code and sorts its imports. */
function formatted(name: string, code: string): string {
  const options = ['check', '--write', `--stdin-file-path=client/src/generated/${name}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, ...options], { input: code, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`)
  return stdout
}
