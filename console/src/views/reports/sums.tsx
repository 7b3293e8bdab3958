import { useSignal } from '@preact/signals'
import { hrefWith } from '../../router/router.ts'
import { groupText, sumText } from './names.ts'
import { type Line, type Report, sorted } from './report.ts'
import { reportWords } from './report-words.ts'

const atOnce = 200

/** A report as a table with bars for the first sum. */
export function Sums({ report, sort }: { report: Report; sort: string }) {
  const shown = useSignal(atOnce)
  const { by, measures, lines, totals } = report
  const order = sort || (/day|week|month/i.test(by[0] ?? '') ? '' : `-${measures[0]?.name}`)
  if (lines.length === 0) return <p class="empty">{reportWords.empty}</p>
  const inOrder = sorted(report, order)
  const longest = Math.max(...lines.map(({ bar }) => bar), 1)
  const head = (name: string, label: string, isSum: boolean) => (
    <Head key={name} name={name} label={label} isSum={isSum} order={order} />
  )
  return (
    <div class="rp-scroll">
      <table class="rp-table">
        <caption class="small quiet">
          {measures[0]?.name === 'seconds' ? reportWords.barOfTime : reportWords.barOfTasks}
        </caption>
        <thead>
          <tr>
            {by.map((name) => head(name, reportWords.groups[name], false))}
            <td class="rp-bar-head" />
            {measures.map(({ name }) => head(name, reportWords.measures[name], true))}
          </tr>
        </thead>
        <tbody>
          {inOrder.slice(0, shown.value).map((line) => (
            <tr key={line.id}>
              {by.map((name, place) => (
                <th key={name} scope="row" dir="auto">
                  {groupText(name, line.group[place] ?? { id: null, name: null })}
                </th>
              ))}
              <td class="rp-bar-cell" aria-hidden="true">
                <Bar line={line} longest={longest} />
              </td>
              {measures.map(({ name, kind }) => (
                <td key={name} class={name === 'overdue' && line.sums.overdue ? 'rp-late' : ''}>
                  {sumText(kind, line.sums[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={by.length}>
              {reportWords.total(lines.length)}
            </th>
            <td class="rp-bar-cell" aria-hidden="true" />
            {measures.map(({ name, kind }) => (
              <td key={name}>{sumText(kind, totals[name])}</td>
            ))}
          </tr>
        </tfoot>
      </table>
      {lines.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += atOnce * 5
          }}
        >
          {reportWords.more(lines.length - shown.value)}
        </button>
      )}
    </div>
  )
}

function Bar({ line: { bar, part }, longest }: { line: Line; longest: number }) {
  const share = (value: number) => `${(value / longest) * 100}%`
  return (
    <span class="rp-bar" style={{ inlineSize: share(bar) }}>
      <span class="rp-part" style={{ inlineSize: bar === 0 ? '0' : `${(part / bar) * 100}%` }} />
    </span>
  )
}

interface HeadProps {
  name: string
  label: string
  isSum: boolean
  order: string
}

/** A column header: a link that sorts by the column, the largest sums first. */
function Head({ name, label, isSum, order }: HeadProps) {
  const isUp = order === name
  const isDown = order === `-${name}`
  const next = isSum ? (isDown ? name : `-${name}`) : isUp ? `-${name}` : name
  return (
    <th scope="col" class={isSum ? 'rp-sum' : ''} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <a href={hrefWith({ sort: next })}>
        {label}
        <span aria-hidden="true">{isUp ? ' ↑' : isDown ? ' ↓' : ''}</span>
      </a>
    </th>
  )
}
