import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useForm } from '../../parts/form.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Cell, Plan } from './plan.ts'
import { cellId, type Sheet, wasRefused } from './sheet.ts'
import { TimeField } from './time-field.tsx'
import { timesheetWords } from './timesheet-words.ts'
import { WhyNot } from './why-not.tsx'

/** Adds an entry to a cell. */
export function AddEntry({ cell, sheet, zone }: { cell: Cell; sheet: Sheet; zone: string }) {
  const form = useForm(`time-entry.new.${cellId(cell)}`, { span: '', description: '' })
  const problem = useSignal<string | undefined>(undefined)
  // a retry sends the same plan, even if the first request took its place
  const planned = useRef<Plan | undefined>(undefined)
  const { values } = form
  const type = (change: Partial<typeof values>) => {
    planned.current = undefined
    form.set(change)
  }
  const add = async () => {
    const plan = planned.current ?? sheet.plan(cell, `+${values.span}`)
    problem.value = 'problem' in plan ? plan.problem : undefined
    if (!('create' in plan)) return
    planned.current = plan
    const outcome = await form.send(
      ({ description }, once) =>
        tw().timeEntries.create({ ...plan.create, description: description.trim() || null }, once),
      timesheetWords.added,
    )
    if (outcome.done || wasRefused(outcome.error)) planned.current = undefined
    if (outcome.done) sheet.show({ ...outcome.value, work: cell.work, tags: [] })
  }
  return (
    <form
      class="ts-entry ts-new"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.isBusy) void add()
      }}
    >
      <TimeField value={values.span} problem={problem.value} onInput={(span) => type({ span })} />
      <label class="field ts-description">
        <span>{timesheetWords.description}</span>
        <input
          dir="auto"
          value={values.description}
          onInput={({ currentTarget: { value } }) => type({ description: value })}
        />
      </label>
      <div class="buttons">
        <button type="submit" aria-disabled={form.isBusy}>
          {form.isBusy ? words.frame.underWay : timesheetWords.add}
        </button>
      </div>
      <WhyNot error={form.error} zone={zone} />
    </form>
  )
}
