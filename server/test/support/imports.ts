import assert from 'node:assert/strict'
import { posix } from 'node:path'

/** What a file imports. */
export interface Import {
  file: string
  /** a path, or the name of a package */
  from: string
  ours: boolean
  typesOnly: boolean
  names: string[]
  /** it takes all that there is: `*` */
  takesAll: boolean
}

/** What a file imports, be it only types or when it is called. */
export function importsIn(file: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:([^'";=]*?)\s+from\s+)?'([^']+)'/gm)
  const calls = text.matchAll(/\b(?:import|require)\(()()['"`]([^'"`]+)/g)
  return [...statements, ...calls].map(([, type, names = '', from = '']) => ({
    file,
    from: from.startsWith('.') ? posix.join(posix.dirname(file), from) : from,
    ours: from.startsWith('.'),
    typesOnly: type !== undefined && type !== '',
    names: names.match(/\w+/g) ?? [],
    takesAll: names.includes('*'),
  }))
}

/** @throws when one needs, by way of others, itself */
export function refuseCircles(all: readonly string[], needs: (one: string) => string[]): void {
  const done = new Set<string>()
  const follow = (one: string, way: string[]): void => {
    assert.ok(!way.includes(one), `circle: ${[...way.slice(way.indexOf(one)), one].join(' → ')}`)
    if (done.has(one)) return
    for (const next of needs(one)) follow(next, [...way, one])
    done.add(one)
  }
  for (const one of all) follow(one, [])
}
