import { after } from 'node:test'

/** A test, or a whole file of tests. */
export interface Scope {
  after(undo: () => Promise<unknown>): void
}
export const file: Scope = { after }

/** All files of tests of this process, be it only one. */
export const wholeProcess: Scope = {
  after(undo) {
    const undoings: (() => Promise<unknown>)[] | undefined = Reflect.get(globalThis, undoingsOfProcess)
    if (undoings) undoings.push(undo)
    else after(undo)
  },
}

/** Under this name, in a process of several files, stands what is done when the last one is over. */
export const undoingsOfProcess = Symbol.for('taskwright.undoings')

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
