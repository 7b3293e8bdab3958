import { useSignal } from '@preact/signals'
import { unlessOthersChanged } from '../../act/unless-changed.ts'
import { useForm } from '../../parts/form.tsx'
import { findTags } from '../../parts/options.ts'
import { type Option, Picker } from '../../parts/picker.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { spanText, spanTyped } from './clock.ts'
import { type Cell, spanChanges } from './plan.ts'
import type { Sheet } from './sheet.ts'
import { TimeField } from './time-field.tsx'
import { timesheetWords } from './timesheet-words.ts'
import { WhyNot } from './why-not.tsx'
import type { Entry } from './work.ts'

interface EntryFormProps {
  entry: Entry
  cell: Cell
  zone: string
  isLocked: boolean
  sheet: Sheet
  onRemove: () => void
}

/** Edits or deletes an entry. Shows changes by others before it overwrites them. */
export function EntryForm({ entry, cell, zone, isLocked, sheet, onRemove }: EntryFormProps) {
  const form = useForm(`time-entry.${entry.id}`, valuesOf(entry, zone))
  const problem = useSignal<string | undefined>(undefined)
  const { values, began } = form
  const save = async () => {
    const when = values.span === began.span ? {} : spanChanges(values.span, cell.day, zone, entry)
    problem.value = 'problem' in when ? when.problem : undefined
    if ('problem' in when) return
    const outcome = await form.send(({ description, billable, tags }) => {
      const others = {
        ...(description !== began.description && { description: description.trim() || null }),
        ...(billable !== began.billable && { billable }),
        ...(!isSame(tags, began.tags) && { tagIds: tags.map(({ id }) => id) }),
      }
      return tw().timeEntries.update(entry.id, { ...when, ...others }, unlessOthersChanged(entry))
    }, timesheetWords.saved)
    if (outcome.done) sheet.show({ ...outcome.value, work: entry.work, tags: values.tags.map(tagOf) })
  }
  return (
    <form
      class="ts-entry"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.isBusy) void save()
      }}
    >
      <TimeField
        value={values.span}
        problem={problem.value}
        isReadOnly={isLocked}
        onInput={(span) => form.set({ span })}
      />
      <label class="field ts-description">
        <span>{timesheetWords.description}</span>
        <input
          dir="auto"
          value={values.description}
          readOnly={isLocked}
          onInput={({ currentTarget: { value } }) => form.set({ description: value })}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={values.billable}
          disabled={isLocked}
          onChange={({ currentTarget: { checked } }) => form.set({ billable: checked })}
        />
        {timesheetWords.billable}
      </label>
      <Picker
        label={timesheetWords.tags}
        chosen={values.tags}
        find={findTags}
        isDisabled={isLocked}
        onChange={(tags) => form.set({ tags })}
      />
      {!isLocked && (
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={form.isBusy || !form.isTouched}>
            {form.isBusy ? words.frame.underWay : timesheetWords.save}
          </button>
          {form.isTouched && (
            <button type="button" onClick={form.clear}>
              {timesheetWords.discard}
            </button>
          )}
          <button type="button" class="dangerous" onClick={onRemove}>
            {timesheetWords.delete}
          </button>
        </div>
      )}
      {form.isTouched && began.version !== entry.version && (
        <p role="alert" class="ts-meanwhile">
          {timesheetWords.isNow(
            spanText(entry, zone),
            entry.description ?? '',
            entry.billable,
            entry.tags.map(({ name }) => name),
          )}
        </p>
      )}
      <WhyNot error={form.error} zone={zone} />
    </form>
  )
}

interface Values {
  version: number
  span: string
  description: string
  billable: boolean
  tags: readonly Option[]
}

const valuesOf = (entry: Entry, zone: string): Values => ({
  version: entry.version,
  span: spanTyped(entry, zone),
  description: entry.description ?? '',
  billable: entry.billable,
  tags: entry.tags.map(({ id, name }) => ({ id, label: name })),
})

const tagOf = ({ id, label }: Option) => ({ id, name: label })

const isSame = (one: readonly Option[], other: readonly Option[]) =>
  one.length === other.length && one.every(({ id }) => other.some((option) => option.id === id))
