import type { Sample } from './rounds.ts'
import { median } from './statistics.ts'

/** A line of the table. */
export interface Row {
  what: string
  /** the ratio, or another figure */
  value: string
  /** the least and the most of all rounds */
  range: string
  target: string
  /** undefined where nothing is aimed at */
  met: boolean | undefined
  /** so far off that something must be broken */
  broken: boolean
  /** requests/s, or what was compared, of the one and of the other */
  figures: string
  /** processor time per request, of the one and of the other */
  cpu: string
  /** the same of PostgreSQL */
  postgres: string
}

interface Compared {
  what: string
  samples: readonly Sample[]
  against: readonly Sample[]
  target?: Target
  /** how many things an answer holds, where these are counted and not the answers */
  items?: number
}

/** The ratio should be at least, or at most this. */
type Target = { least: number } | { most: number }

/** How many times as many requests per second as the other one. */
export const rates = (compared: Compared): Row =>
  ratioRow(compared, {
    of: ({ perSecond }, other) => perSecond / other.perSecond,
    shown: ({ perSecond }) => perSecond,
    unit: '/s',
    steady: true,
  })

/** How many times the time of the other one, at the same number of connections. */
export const times = (compared: Compared): Row =>
  ratioRow(compared, {
    of: ({ perSecond }, other) => other.perSecond / perSecond,
    shown: ({ perSecond }) => perSecond,
    unit: '/s',
    steady: true,
  })

/** How many times the 99th percentile of the other one. */
export const slowest = (compared: Compared): Row =>
  ratioRow(compared, {
    of: ({ p99Ms }, other) => p99Ms / other.p99Ms,
    shown: ({ p99Ms }) => p99Ms,
    unit: ' ms',
    steady: false,
  })

interface Measure {
  of: (sample: Sample, other: Sample) => number
  shown: (sample: Sample) => number
  unit: string
  /** whether a ratio that is far off tells more than that the machine was busy */
  steady: boolean
}

function ratioRow({ what, samples, against, target, items = 1 }: Compared, { of, shown, unit, steady }: Measure): Row {
  const ratios = samples.flatMap((sample, round) => {
    const other = against[round]
    return other ? [of(sample, other)] : []
  })
  const ratio = median(ratios)
  const failed = [...samples, ...against].reduce((sum, sample) => sum + sample.failed, 0)
  const figure = (list: readonly Sample[]) => rounded(median(list.map(shown)) * items)
  const cpu = (of: 'cpuUs' | 'postgresUs') =>
    [samples, against]
      .map((list) => list.flatMap((sample) => sample[of] ?? []))
      .map((known) => (known.length === 0 ? '–' : rounded(median(known))))
      .join(' : ')
  return {
    what: failed === 0 ? what : `${what} (${failed} requests failed)`,
    value: ratio.toFixed(2),
    range: `${Math.min(...ratios).toFixed(2)} – ${Math.max(...ratios).toFixed(2)}`,
    target: textOf(target),
    met: target && failed === 0 ? isMet(ratio, target) : failed === 0 ? undefined : false,
    broken: failed > 0 || (steady && target !== undefined && !isMet(ratio, eased(target))),
    figures: `${figure(samples)} : ${figure(against)}${unit}`,
    cpu: cpu('cpuUs'),
    postgres: cpu('postgresUs'),
  }
}

/** A row of one figure, without rounds. */
export function figureRow(what: string, value: number | undefined, unit: string, target?: Target): Row {
  const known = value !== undefined && Number.isFinite(value)
  return {
    what,
    value: known ? `${rounded(value)}${unit}` : 'unknown',
    range: '',
    target: target ? `${textOf(target)}${unit}` : '',
    met: target && known ? isMet(value, target) : undefined,
    broken: false,
    figures: '',
    cpu: '',
    postgres: '',
  }
}

/** A row of what the server does not answer as it should. */
export const unansweredRow = (what: string): Row => ({
  ...figureRow(what, undefined, ''),
  ...{ value: 'not answered', met: false, broken: true },
})

const isMet = (value: number, target: Target) => ('least' in target ? value >= target.least : value <= target.most)

const eased = (target: Target): Target => ('least' in target ? { least: target.least / 3 } : { most: target.most * 3 })

const textOf = (target: Target | undefined) =>
  target === undefined ? '' : 'least' in target ? `≥ ${target.least}` : `≤ ${target.most}`

const rounded = (value: number) =>
  value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
