import type { Operation, Shapes } from '../../cli/src/operations/operation.ts'
import type { Route } from '../../server/src/for-tools.ts'
import { parametersOf } from './parameters.ts'
import { bare, type Document, referredBy, type Schema } from './schema.ts'

/** The table of operations for tw, one per line, and the fields of their responses. */
export function operationsModule(routes: readonly Route[], document: Document): string {
  const operations = routes.map((route) => operationOf(route, document))
  const shapes = shapesOf(operations, document)
  return [
    "import type { Operation, Shapes } from '../operations/operation.ts'\n",
    '/** What the API can do. Made from the table of routes: `npm run generate`. */',
    `export const operations: readonly Operation[] = [`,
    ...operations.map((operation) => `  ${JSON.stringify(operation)},`),
    ']\n',
    '/** The fields of what is answered. */',
    'export const shapes: Shapes = {',
    ...Object.entries(shapes).map(([name, fields]) => `  ${name}: ${JSON.stringify(fields)},`),
    '}\n',
  ].join('\n')
}

function operationOf({ name, method, path, summary }: Route, document: Document): Operation {
  const described = document.paths[`/api/v1${path}`]?.[method.toLowerCase()]
  if (described === undefined) throw new Error(`The document lacks ${method} ${path}`)
  const content = (described.responses['200'] ?? described.responses['201'])?.content
  const answer = content?.['application/json'].schema
  const { data, total, pagination } = answer?.properties ?? {}
  const paged = pagination === undefined ? total && ('offset' as const) : ('cursor' as const)
  const answers = referredBy(data?.items) ?? referredBy(answer)
  return {
    ...{ name, method, path, summary },
    ...(described.description ? { description: described.description } : {}),
    access: described['x-access'].description,
    parameters: parametersOf(path, described, document),
    ...(paged ? { list: paged } : {}),
    ...(answers === undefined ? {} : { answers }),
    ...(content?.['text/csv'] ? { csv: true } : {}),
  }
}

function shapesOf(operations: readonly Operation[], { components }: Document): Shapes {
  const names = new Set(operations.flatMap(({ answers }) => answers ?? []))
  return Object.fromEntries([...names].toSorted().map((name) => [name, fieldsOf(components.schemas[name])]))
}

const fieldsOf = (schema: Schema | undefined) => Object.keys(bare(schema ?? {}).properties ?? {})
