import { Field } from '../../parts/form.tsx'
import { dayOf, momentText } from '../../parts/format.ts'
import { me } from '../../session/session.ts'
import { keyWords } from './key-words.ts'

/** The chosen lifetime of a key: a number of days, `day`, or empty for the longest one. */
interface ExpiryChoice {
  lasts: string
  /** as `2026-01-31`, if `lasts` is `day` */
  day: string
}

const choices = [30, 90, 365]

interface ExpiryFieldProps extends ExpiryChoice {
  set: (change: Partial<ExpiryChoice>) => void
}

/** Chooses the lifetime of a key; a key cannot outlive the key that creates it. */
export function ExpiryField({ lasts, day, set }: ExpiryFieldProps) {
  const expiresAt = me().apiKey?.expiresAt ?? null
  const open = choices.filter((days) => expiresAt === null || inDays(days) < expiresAt)
  return (
    <>
      <Field name="expiresAt" label={keyWords.fields.expires}>
        {(attributes) => (
          <select {...attributes} value={lasts} onChange={({ currentTarget }) => set({ lasts: currentTarget.value })}>
            <option value="">
              {expiresAt === null ? keyWords.lasts.never : keyWords.lasts.asThis(momentText(expiresAt))}
            </option>
            {open.map((days) => (
              <option key={days} value={String(days)}>
                {keyWords.lasts.days(days)}
              </option>
            ))}
            <option value="day">{keyWords.lasts.day}</option>
          </select>
        )}
      </Field>
      {lasts === 'day' && (
        <Field name="day" label={keyWords.fields.day}>
          {(attributes) => (
            <input
              {...attributes}
              type="date"
              min={dayOf(new Date())}
              value={day}
              onInput={({ currentTarget }) => set({ day: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

/** The chosen date-time for the API; undefined for the same as the current key. */
export function endOf({ lasts, day }: ExpiryChoice): string | undefined {
  if (lasts === '') return undefined
  if (lasts !== 'day') return inDays(Number(lasts))
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  // the end of that day, in the reader's time zone
  return day === '' ? '' : new Date(year, month - 1, date, 23, 59, 59).toISOString()
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
