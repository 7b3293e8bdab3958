import { Answer } from './answer.ts'
import { pathOf } from './call.ts'
import type { Connection } from './connection.ts'
import type { Operations } from './generated/operations.ts'
import { operations } from './generated/table.ts'
import { Pages } from './pages.ts'

/** A class with all operations as methods, grouped by the nouns of their names. */
export const WithOperations = class {
  constructor(connection: Connection) {
    Object.assign(this, methodsOn(connection))
  }
} as unknown as new (
  connection: Connection,
) => Operations

function methodsOn(connection: Connection): Operations {
  const all: Nouns = {}
  for (const [name, method, path, kind] of operations) {
    const nouns = name.split('.')
    const verb = nouns.pop() ?? ''
    const place = nouns.reduce((outer, noun) => below(outer, noun), all)
    place[verb] = methodOn(connection, method, path, kind)
  }
  return all as unknown as Operations
}

interface Nouns {
  [name: string]: Nouns | ((...given: never[]) => unknown)
}

function below(place: Nouns, noun: string): Nouns {
  place[noun] ??= {}
  return place[noun] as Nouns
}

/** Arguments: ids, then the query or body, then the options. */
function methodOn(connection: Connection, method: string, template: string, kind: (typeof operations)[number][3]) {
  const ids = template.split('{').length - 1
  return (...given: unknown[]) => {
    const path = pathOf(template, given.slice(0, ids) as string[])
    const [content, options] = (kind === 'plain' ? [undefined, given[ids]] : given.slice(ids)) as object[]
    if (kind === 'pages') return new Pages(connection, path, content, options)
    return new Answer(connection.send({ ...options, method, path, [kind]: content }))
  }
}
