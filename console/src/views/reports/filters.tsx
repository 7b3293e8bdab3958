import { useId } from 'preact/hooks'
import { type ReadName, readName, remember, useOptions } from '../../parts/known-names.ts'
import { findMembers, findProjects, findTags } from '../../parts/options.ts'
import { Picker } from '../../parts/picker.tsx'
import { dayAfter } from '../../parts/zone.ts'
import { query, setQuery } from '../../router/router.ts'
import { type Preset, presets } from './period.ts'
import { type Group, groupsOf, idsOf, mostGroupings, type ReportQuery } from './report-query.ts'
import { reportWords } from './report-words.ts'

/** Chooses the measure, the groups and the period of a report. */
export function Filters({ asked }: { asked: ReportQuery }) {
  const { kind } = asked
  return (
    <section class="rp-filters" aria-label={reportWords.filters}>
      <Groupings asked={asked} />
      <Period asked={asked} />
      <Ids word="project" label={reportWords.projects} find={findProjects} read={readName.project} />
      <Ids
        word="member"
        label={kind === 'time' ? reportWords.members : reportWords.assignees}
        find={findMembers}
        read={readName.member}
      />
      <Ids word="tag" label={reportWords.tags} find={findTags} read={readName.tag} />
      {kind === 'time' ? (
        <YesNo word="billable" {...reportWords.billing} />
      ) : (
        <YesNo word="completed" {...reportWords.completion} />
      )}
    </section>
  )
}

function Groupings({ asked: { kind, by } }: { asked: ReportQuery }) {
  const all = groupsOf(kind)
  const choose = (place: number, name: string) => {
    const chosen = name === '' ? by.slice(0, place) : by.toSpliced(place, 1, name as Group)
    // the old sort column may not exist any more
    setQuery({ by: [...new Set(chosen)].join(), sort: undefined })
  }
  return Array.from({ length: Math.min(by.length + 1, mostGroupings) }, (_, place) => {
    const others = by.filter((_, other) => other !== place)
    return (
      <Select
        key={place}
        label={place === 0 ? reportWords.by : reportWords.thenBy}
        value={by[place] ?? ''}
        options={[
          ...(place === 0 ? [] : [['', reportWords.nothingElse] as const]),
          ...all.filter((name) => !others.includes(name)).map((name) => [name, reportWords.groups[name]] as const),
        ]}
        onChange={(name) => choose(place, name)}
      />
    )
  })
}

function Period({ asked: { kind, preset, days, of } }: { asked: ReportQuery }) {
  const last = days.until && dayAfter(days.until, -1)
  const day = (label: string, word: string, value: string | undefined) => (
    <label class="field">
      <span>{label}</span>
      <input type="date" value={value ?? ''} onChange={({ currentTarget: { value } }) => setQuery({ [word]: value })} />
    </label>
  )
  const choose = (name: string) =>
    setQuery(
      name === 'custom'
        ? { period: name, from: days.from, to: last }
        : { period: name, from: undefined, to: undefined },
    )
  return (
    <>
      <Select
        label={reportWords.period}
        value={preset ?? 'custom'}
        options={[
          ...presets.map((name: Preset) => [name, reportWords.presets[name]] as const),
          ['custom', reportWords.custom],
        ]}
        onChange={choose}
      />
      {preset === undefined && day(reportWords.from, 'from', days.from)}
      {preset === undefined && day(reportWords.to, 'to', last)}
      {kind === 'tasks' && (
        <Select
          label={reportWords.of}
          value={of}
          options={[
            ['created', reportWords.ofs.created],
            ['due', reportWords.ofs.due],
          ]}
          onChange={(value) => setQuery({ of: value === 'created' ? undefined : value })}
        />
      )}
    </>
  )
}

interface IdsProps {
  word: string
  label: string
  find: typeof findTags
  read: ReadName
}

function Ids({ word, label, find, read }: IdsProps) {
  const chosen = useOptions(idsOf(word), [], read)
  return (
    <div class="field">
      <span aria-hidden="true">{label}</span>
      <Picker
        label={label}
        none={reportWords.any}
        chosen={chosen}
        find={find}
        onChange={(options) => {
          remember(options)
          setQuery({ [word]: options.map(({ id }) => id).join() })
        }}
      />
    </div>
  )
}

function YesNo({ word, label, yes, no }: { word: string; label: string; yes: string; no: string }) {
  return (
    <Select
      label={label}
      value={query(word)}
      options={[
        ['', reportWords.any],
        ['true', yes],
        ['false', no],
      ]}
      onChange={(value) => setQuery({ [word]: value })}
    />
  )
}

interface SelectProps {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
}

function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget: { value } }) => onChange(value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
