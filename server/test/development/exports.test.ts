import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Import, importsIn } from '../support/imports.ts'
import { allSources } from '../support/sources.ts'

/** What is exported to those who import it by no name, and who they are. */
const entryPoints = [
  'cli/src/tw.ts runHere', // cli/bin/tw.mjs, which builds the file first
  'scripts/client/client.ts eventTypes', // it writes this line into a file
  'scripts/client/table.ts operations', // this one too
]

const exported = /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm

test('every export is imported by another file', () => {
  const texts = allSources()
  const takenFrom = new Map<string, Set<string>>()
  for (const [file, text] of texts) {
    for (const one of importsIn(file, text)) {
      const taken = takenFrom.get(one.from) ?? new Set()
      takenFrom.set(one.from, taken)
      for (const name of namesOf(one, text)) taken.add(name)
    }
  }
  const needless = [...texts]
    .filter(([file]) => /^(bench|scripts|\w+\/src)\//.test(file) && !file.includes('/generated/'))
    .flatMap(([file, text]) => {
      const taken = takenFrom.get(file)
      if (taken?.has('*')) return []
      const names = [...text.matchAll(exported)].flatMap(([, name]) => name ?? [])
      return names.filter((name) => !taken?.has(name)).map((name) => `${file} ${name}`)
    })
  assert.deepEqual([...new Set(needless)], entryPoints)
})

/** What an import takes: whatever its file names, where it is one of a call. */
const namesOf = ({ names, takesAll }: Import, text: string): readonly string[] =>
  takesAll ? ['*'] : names.length > 0 ? names : (text.match(/\w+/g) ?? [])
