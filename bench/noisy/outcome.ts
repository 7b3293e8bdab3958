import { figureRow, type Row } from '../rows.ts'
import { type Kind, type Met, percentile } from './ordinary.ts'

/** What was met beside an attack, what was met without it, and the most memory that the server had. */
interface Outcome {
  met: Met
  quiet: Met
  peakMb: number | undefined
}

/** The row of an attack. @param quick with wide limits, for a machine that does other things too */
export function rowOf(name: string, outcome: Outcome, quick: boolean): Row {
  const { met, quiet, peakMb } = outcome
  const kinds = Object.keys(met.timesMs) as Kind[]
  const ratio = (part: number) => (kind: Kind) =>
    percentile(met.timesMs[kind], part) / percentile(quiet.timesMs[kind], part)
  const [median, slow] = [kinds.map(ratio(0.5)), kinds.map(ratio(0.99))]
  const shown = (ratios: readonly number[]) =>
    ratios.map((one) => (Number.isNaN(one) ? '–' : one.toFixed(1))).join(' · ')
  const worst = Math.max(...slow)
  const row = figureRow(`beside ${name}, p99`, worst, '', { most: 3 })
  const isFar = worst > 30 || met.failed > 0 || (peakMb ?? 0) > 800
  return {
    ...row,
    range: `p50 ${shown(median)}, p99 ${shown(slow)}`,
    met: row.met === true && met.refused + met.failed === 0 && met.longestHealthzMs < 100 && (peakMb ?? 0) < 400,
    broken: quick && isFar,
    figures: figuresOf(outcome),
  }
}

/** What was met, and the p99 of each kind before and with it. */
export const figuresOf = ({ met, quiet, peakMb }: Outcome): string =>
  [
    `${slowest(quiet)} → ${slowest(met)} ms`,
    `${met.refused} × 503`,
    ...(met.failed > 0 ? [`${met.failed} failed`] : []),
    `/healthz ≤ ${met.longestHealthzMs.toFixed(0)} ms`,
    `newly connected ≤ ${met.longestNewMs.toFixed(0)} ms`,
    `${peakMb?.toFixed(0) ?? '?'} MB`,
  ].join(', ')

const slowest = ({ timesMs }: Met) =>
  Object.values(timesMs)
    .map((times) => percentile(times, 0.99).toFixed(1))
    .join(' · ')
