import { useSignal } from '@preact/signals'
import { failureSentence } from '../../act/failures.ts'
import { tell } from '../../act/notices.ts'
import { useLoaded } from '../../live/loaded.ts'
import { copyText } from '../../parts/copying.ts'
import { Loading } from '../../parts/loading.tsx'
import { dayAfter } from '../../parts/zone.ts'
import { hrefOf, place, query } from '../../router/router.ts'
import { words } from '../../words.ts'
import { Filters } from './filters.tsx'
import { dayName } from './names.ts'
import { readCsv, readReport } from './report.ts'
import { asked, type Kind, type ReportQuery } from './report-query.ts'
import { reportWords } from './report-words.ts'
import { saveFile } from './save-file.ts'
import { Sums } from './sums.tsx'

/** Reports on time and tasks. The address has all choices, so that a link shows the same report. */
export default function Reports() {
  const wanted = asked()
  const isStale = useSignal(false)
  const noun = wanted.kind === 'time' ? /^time_entry\./ : /^(task|time_entry)\./
  const loaded = useLoaded(
    JSON.stringify([wanted, ...['project', 'member', 'tag', 'billable', 'completed'].map(query)]),
    (signal) => {
      isStale.value = false
      return readReport(wanted, signal)
    },
    ({ type }) => {
      // do not reload by itself: with many members, the report would never stop changing
      if (noun.test(type)) isStale.value = true
      return undefined
    },
  )
  const { from, until } = wanted.days
  return (
    <div class="rp" aria-busy={loaded.isLoading.value}>
      <header class="view-head">
        <h1>{words.views.reports}</h1>
        <Tabs kind={wanted.kind} />
        <div class="buttons rp-out">
          <button type="button" onClick={() => void copyLink(wanted)}>
            {reportWords.copy}
          </button>
          <Download fileName={fileName(wanted.kind, wanted.by, from, until)} read={() => readCsv(wanted)} />
        </div>
      </header>
      <Filters asked={wanted} />
      <p class="quiet small" role="status">
        {from || until
          ? reportWords.days(from && dayName(from), until && dayName(dayAfter(until, -1)))
          : reportWords.always}
        {isStale.value && (
          <>
            {' '}
            {reportWords.stale}{' '}
            <button type="button" class="plain rp-again" onClick={loaded.reload}>
              {reportWords.refresh}
            </button>
          </>
        )}
      </p>
      <Loading of={loaded}>{(report) => <Sums report={report} sort={query('sort')} />}</Loading>
    </div>
  )
}

function Tabs({ kind }: { kind: Kind }) {
  const link = (of: Kind, label: string) => (
    <a
      href={hrefOf('/reports', of === 'time' ? {} : { tab: of })}
      {...(kind === of && { 'aria-current': 'page' as const })}
    >
      {label}
    </a>
  )
  return (
    <nav class="tabs" aria-label={reportWords.tabs}>
      {link('time', reportWords.time)}
      {link('tasks', reportWords.tasks)}
    </nav>
  )
}

function Download({ fileName, read }: { fileName: string; read: () => Promise<string> }) {
  const isReading = useSignal(false)
  const save = async () => {
    if (isReading.value) return
    isReading.value = true
    try {
      // Excel needs the byte order mark to read UTF-8
      saveFile(fileName, `\ufeff${await read()}`, 'text/csv')
    } catch (error) {
      tell(failureSentence(error), { isFailure: true })
    }
    isReading.value = false
  }
  return (
    <button type="button" aria-disabled={isReading.value} onClick={() => void save()}>
      {isReading.value ? reportWords.reading : reportWords.csv}
    </button>
  )
}

/** `time-by-project-member-2026-11-01-to-2026-11-30.csv` */
function fileName(kind: Kind, by: readonly string[], from: string | undefined, until: string | undefined): string {
  const days = [from && ['from', from], until && ['to', dayAfter(until, -1)]].flatMap((part) => part || [])
  return [...[kind, 'by', ...by], ...days].join('-').concat('.csv')
}

async function copyLink({ preset, days: { from, until } }: ReportQuery): Promise<void> {
  const { path, query } = place.value
  const { task: _, ...words_ } = Object.fromEntries(query)
  // replace a preset by fixed days: "this month" changes with time
  const days = preset === 'all' ? {} : { period: 'custom', from, to: until && dayAfter(until, -1) }
  await copyText(location.origin + hrefOf(path, { ...words_, ...days }), reportWords.copied)
}
