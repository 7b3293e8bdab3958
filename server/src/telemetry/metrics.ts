import type { HrTime } from '@opentelemetry/api'
import type { MetricData } from '@opentelemetry/sdk-metrics'
import type { Registry } from 'prom-client'

/** A metric as the library of Prometheus shows it. */
interface PrometheusMetric {
  name: string
  help: string
  type: string
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[]
}

const sinceMs = Date.now()

/** What Prometheus would read, in the words of OpenTelemetry: so both say the same. */
export async function metricsIn(registers: readonly Registry[]): Promise<MetricData[]> {
  const all = (await Promise.all(registers.map((register) => register.getMetricsAsJSON()))).flat()
  const [startTime, endTime] = [hrTime(sinceMs), hrTime(Date.now())]
  return (all as unknown as PrometheusMetric[]).flatMap((shown): MetricData[] => {
    const { name, help, type, values } = shown
    const about = {
      descriptor: { name, description: help, unit: '', valueType: valueTypes.double },
      aggregationTemporality: cumulative,
    }
    const points = () => values.map(({ labels, value }) => ({ startTime, endTime, attributes: labels, value }))
    if (type === 'counter')
      return [{ ...about, dataPointType: pointTypes.sum, isMonotonic: true, dataPoints: points() } as MetricData]
    if (type === 'gauge') return [{ ...about, dataPointType: pointTypes.gauge, dataPoints: points() } as MetricData]
    if (type !== 'histogram') return []
    const dataPoints = histogramsIn(shown).map(({ labels, value }) => ({
      startTime,
      endTime,
      attributes: labels,
      value,
    }))
    return [{ ...about, dataPointType: pointTypes.histogram, dataPoints } as MetricData]
  })
}

// the enums of the library, which would be loaded for these numbers alone
const pointTypes = { histogram: 0, gauge: 2, sum: 3 }
const valueTypes = { double: 1 }
const cumulative = 1

interface HistogramOf {
  labels: Record<string, string | number>
  value: { buckets: { boundaries: number[]; counts: number[] }; sum: number; count: number }
}

/** Puts buckets, sum and count of each set of labels together; here a bucket does not count those below it. */
function histogramsIn({ name, values }: PrometheusMetric): HistogramOf[] {
  const found = new Map<string, HistogramOf & { below: number }>()
  for (const { value, labels, metricName } of values) {
    const { le, ...own } = labels
    const key = JSON.stringify(own)
    const one = found.get(key) ?? {
      labels: own,
      value: { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 },
      below: 0,
    }
    found.set(key, one)
    if (metricName === `${name}_sum`) one.value.sum = value
    else if (metricName === `${name}_count`) one.value.count = value
    else {
      if (le !== '+Inf') one.value.buckets.boundaries.push(Number(le))
      one.value.buckets.counts.push(value - one.below)
      one.below = value
    }
  }
  return [...found.values()]
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]
