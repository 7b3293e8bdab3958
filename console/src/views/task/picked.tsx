import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Option, Picker } from '../../parts/picker.tsx'
import type { Desk } from './desk.ts'
import { EditOutcome } from './outcome.tsx'
import type { OpenTask } from './reading.ts'
import { isSame, type SaveState } from './saving.ts'
import type { Base } from './unsaved-text.ts'

interface PickedProps<V> {
  desk: Desk
  label: string
  saving: SaveState<V>
  /** the current choice */
  options: readonly Option[]
  find: (typed: string, signal: AbortSignal) => PromiseLike<readonly Option[]>
  /** the value of a choice; may create new items */
  valueIn: (chosen: readonly Option[]) => V | Promise<V | undefined>
  /** the ids in a value */
  idsOf: (value: V) => readonly string[]
  base: (task: OpenTask) => Base<V>
  isSingle?: boolean
  none: string
}

/** A field with a list of choices. A choice made during a save is saved after it. */
export function Picked<V>({
  desk,
  label,
  saving,
  options,
  find,
  valueIn,
  idsOf,
  base,
  isSingle,
  none,
}: PickedProps<V>) {
  const pending = useSignal<readonly Option[] | undefined>(undefined)
  const isRunning = useRef(false)
  /** the value before the choice: others may change it before the choice is sent */
  const over = useRef(base(desk.task))
  const seen = useRef(new Map<string, string>())
  for (const { id, label } of options) seen.current.set(id, label)
  const choose = async (chosen: readonly Option[]) => {
    for (const { id, label } of chosen) seen.current.set(id, label)
    pending.value = chosen
    if (isRunning.current) return
    isRunning.current = true
    over.current = base(desk.task)
    for (let next = pending.peek(); next !== undefined; ) {
      const value = await valueIn(next)
      const isSaved = value !== undefined && (await saving.save(value, over.current))
      if (isSaved) {
        const latest = base(desk.loaded.value.peek() ?? desk.task)
        over.current = isSame(latest.value, value) ? latest : { ...over.current, value }
      }
      const later = pending.peek()
      next = isSaved && later !== next ? later : undefined
    }
    pending.value = undefined
    isRunning.current = false
  }
  const show = (value: V) =>
    idsOf(value)
      .map((id) => seen.current.get(id) ?? '…')
      .join(', ') || none
  const again = async () => {
    const { wanted } = saving.state.peek()
    if (wanted !== undefined) await saving.save(wanted, over.current)
  }
  return (
    <div class="fact" aria-busy={saving.state.value.isBusy}>
      <dt>{label}</dt>
      <dd>
        {desk.whyNot !== undefined ? (
          <span dir="auto">{options.map((option) => option.label).join(', ') || none}</span>
        ) : (
          <Picker
            {...{ label, find, none, isSingle: isSingle ?? false, chosen: pending.value ?? options }}
            onChange={(chosen) => void choose(chosen)}
          />
        )}
        <EditOutcome {...{ saving, label, show, onTheirs: nothing, onSaved: nothing, onAgain: () => void again() }} />
      </dd>
    </div>
  )
}

const nothing = () => {}
