import { after } from 'node:test'

/** A test, or a whole file of tests. */
export interface Scope {
  after(undo: () => Promise<unknown>): void
}

/** What runs when a file ends, and when a process of several files ends. The entry of such a process makes it. */
interface Undoings {
  file: (() => Promise<unknown>)[]
  process: (() => Promise<unknown>)[]
}

/** The name of the undoings in `globalThis`, which bundles of test files share. */
export const undoingsOfProcess = Symbol.for('taskwright.undoings')

const shared = (): Undoings | undefined => Reflect.get(globalThis, undoingsOfProcess)

/** The file that runs now. Inside a test, `after` of `node:test` would not find it. */
export const file: Scope = {
  after(undo) {
    const undoings = shared()
    if (undoings) undoings.file.push(undo)
    else after(undo)
  },
}

/** All test files of this process. */
export const wholeProcess: Scope = {
  after(undo) {
    const undoings = shared()
    if (undoings) undoings.process.push(undo)
    else after(undo)
  },
}

const undoings = new WeakMap<Scope, (() => Promise<unknown>)[]>()

/** Undoes something when the scope ends, what was done last first; `after` alone would begin with the first. */
export function afterwards(t: Scope, undo: () => Promise<unknown>): void {
  const known = undoings.get(t)
  if (known) return void known.push(undo)
  const list = [undo]
  undoings.set(t, list)
  t.after(async () => {
    // the scope of a file is that of the next one in the same process
    undoings.delete(t)
    const failures: unknown[] = []
    for (const undoing of list.toReversed()) await undoing().catch((error) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  })
}
