import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undoingsOfProcess } from './afterwards.ts'

/** A file of tests: what it is called, what Node runs of it, and whether it has a process alone, or one with others of its kind. */
export interface TestFile {
  name: string
  built: string
  alone: boolean
  browses: boolean
  waits: boolean
}

/** Files that share a process at most: beside so many tests, loading and compiling cost little. */
const most = 12
/** The same of those that wait for other processes, each of which takes long. */
const mostThatWait = 4

/** How long a file may run, and how long a process may go on behind its last file, in milliseconds; then they fail by name. */
const usualBounds = { file: 900_000, end: 60_000 }

/**
 * Lets files of tests share processes, where they run one after the other, each as a suite of its name: what they all need is
 * loaded, compiled and made fast once. Which of them share one is the same each time.
 * @param atOnce how many processes run at a time
 * @returns the files for Node's test runner, in the order of their names, which is that in which it starts them
 */
export async function sharedProcesses(
  files: readonly TestFile[],
  folder: string,
  atOnce: number,
  bounds = usualBounds,
): Promise<{ entries: string[]; unfinished: () => Promise<string[]> }> {
  const browsing = files.filter(({ browses }) => browses)
  const others = files.filter(({ alone, browses }) => !alone && !browses)
  const inGroups = (waiting: boolean, most: number) => {
    const sharing = others.filter(({ waits }) => waits === waiting)
    const count = Math.min(sharing.length, Math.max(atOnce, Math.ceil(sharing.length / most)))
    // neighbours are alike: what takes long is spread over all
    return Array.from({ length: count }, (_, group) => sharing.filter((_, place) => place % count === group))
  }
  await mkdir(folder)
  const entries: string[] = []
  const single = files.filter(({ alone, browses }) => alone && !browses).map((file) => [file])
  // these have one browser, and take the longest
  const first = browsing.length > 0 ? [browsing] : []
  // who waits and who computes, in turn
  for (const together of [...first, ...merged([...inGroups(true, mostThatWait), ...single], inGroups(false, most))]) {
    const entry = join(folder, `${String(entries.length).padStart(3, '0')}.mjs`)
    await writeFile(entry, entryOf(together, noteOf(entry), bounds))
    entries.push(entry)
  }
  return { entries, unfinished: () => unfinishedIn(folder) }
}

const aloneFor = [
  // what it changes, or measures, is of the whole process; what it only asks is the same for all
  /\bprocess\.(?!(?:argv|env|execPath|get\w+|kill|pid|platform)\b)|\bprocess\.env\S* = |\bdelete process\.env/,
  /\bperformance\b|\bmock\b|\bglobalThis\b/,
  // so is the clock of ids, which never goes back
  /\bnewId\([^)]/,
  // so is which functions have run, and which statements have names
  /support\/passing\.ts|db\/statements\.ts|pg_prepared_statements/,
  // so is what the event loop and the processor do meanwhile
  /support\/(?:turns|slow\/processor-time)\.ts/,
]

/** Whether a file of tests with this text has a process alone. */
export const standsAlone = (text: string): boolean => aloneFor.some((reason) => reason.test(text))

/** Whether it starts other processes, for which it waits more than it computes. */
export const waits = (text: string): boolean => /node:child_process|support\/slow\//.test(text)

/** Whether it visits the console with the browser of its process. */
export const browses = (text: string): boolean => text.includes('support/visits.ts')

/** Two lists as one, so that both end at the same time. */
const merged = <Item>(one: readonly Item[], other: readonly Item[]): Item[] =>
  [one, other]
    .flatMap((list) => list.map((item, place) => ({ item, at: (place + 0.5) / list.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

// Node 20's test runner follows each promise by an async hook, to know to which test it belongs. That doubles the processor
// time of every request. Only files that are being loaded need it: their tests are then known.
const entryOf = (files: readonly TestFile[], note: string, bounds: typeof usualBounds) => `
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const asyncHooks = createRequire(import.meta.url)('node:async_hooks')
const { createHook } = asyncHooks
const hooks = []
asyncHooks.createHook = (callbacks) => (hooks.push(createHook(callbacks)), hooks.at(-1))
const { after, describe } = await import('node:test')

const undoings = (globalThis[Symbol.for(${JSON.stringify(undoingsOfProcess.description)})] = { process: [] })
const undo = async (list) => {
  for (const work of list) await work()
}
for (const { name, built } of ${JSON.stringify(files)}) {
  writeFileSync(${JSON.stringify(note)}, name)
  undoings.file = []
  for (const hook of hooks) hook.enable()
  await describe(name, { timeout: ${bounds.file} }, async () => {
    await import(built).finally(() => {
      after(() => undo(undoings.file))
      for (const hook of hooks) hook.disable()
    })
  })
}
await undo(undoings.process.reverse())
rmSync(${JSON.stringify(note)})
setTimeout(() => {
  console.error('Behind the tests of ${files.map(({ name }) => name).join(', ')} this goes on:', process.getActiveResourcesInfo())
  process.exit(1)
}, ${bounds.end}).unref()
`

/** Where it stands which file runs, for whoever finds that its process ended. */
const noteOf = (entry: string) => `${entry}.now`

/** The names of the files in which a process ended. */
async function unfinishedIn(folder: string): Promise<string[]> {
  const notes = (await readdir(folder)).filter((file) => file.endsWith('.now'))
  return Promise.all(notes.map((note) => readFile(join(folder, note), 'utf8')))
}
