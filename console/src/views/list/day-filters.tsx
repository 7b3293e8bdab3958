import { dayIn, isDay, momentIn } from '../../parts/zone.ts'
import { query, setQuery } from '../../router/router.ts'
import { me } from '../../session/session.ts'
import { words } from '../../words.ts'
import { valuesOf } from './list-query.ts'

const text = words.list

/** The filters by day. Filters on a date-time use midnights in the organization's time zone, like all lists and reports. */
export function DayFilters() {
  const { timezone } = me().organization
  const due = valuesOf('dueDate')
  const setDue = (day: string, orNone: boolean) =>
    setQuery({ dueDate: [day, orNone ? 'none' : ''].filter((value) => value !== '').join() })
  const dueOn = due.find((value) => value !== 'none') ?? ''
  const moment = (filter: 'createdAfter' | 'createdBefore' | 'updatedAfter', label: string) => (
    <Day
      label={label}
      value={dayOf(timezone, query(filter))}
      onChange={(day) => setQuery({ [filter]: day && momentIn(timezone, day, 0).toISOString() })}
    />
  )
  return (
    <>
      <Day label={text.dueOn} value={dueOn} onChange={(day) => setDue(day, due.includes('none'))} />
      <label class="check">
        <input
          type="checkbox"
          checked={due.includes('none')}
          onChange={({ currentTarget }) => setDue(dueOn, currentTarget.checked)}
        />
        <span>{text.noDueDate}</span>
      </label>
      <Day label={text.dueAfter} value={query('dueAfter')} onChange={(day) => setQuery({ dueAfter: day })} />
      <Day label={text.dueBefore} value={query('dueBefore')} onChange={(day) => setQuery({ dueBefore: day })} />
      {moment('createdAfter', text.createdAfter)}
      {moment('createdBefore', text.createdBefore)}
      {moment('updatedAfter', text.updatedAfter)}
    </>
  )
}

const dayOf = (zone: string, moment: string) => {
  const at = new Date(moment)
  return Number.isNaN(at.getTime()) ? '' : dayIn(zone, at)
}

interface DayProps {
  label: string
  value: string
  onChange: (day: string) => void
}

const Day = ({ label, value, onChange }: DayProps) => (
  <label class="list-day">
    <span>{label}</span>
    <input
      type="date"
      value={value}
      onChange={({ currentTarget }) => {
        if (currentTarget.value === '' || isDay(currentTarget.value)) onChange(currentTarget.value)
      }}
    />
  </label>
)
