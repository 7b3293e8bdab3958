/** What the standard variables say of where traces and metrics go. */
export interface TelemetrySettings {
  /** why nothing can be sent, in a sentence */
  problem: string | undefined
  /** whether as JSON, else as protobuf */
  json: boolean
  traces: boolean
  metrics: { everyMs: number } | undefined
}

const protocols = ['http/protobuf', 'http/json']

/**
 * The settings, or undefined when nothing is to be sent. Endpoints, headers, the sampler, the name of the service and limits
 * are read by the libraries themselves.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function settingsIn(environment: Record<string, string | undefined>): TelemetrySettings | undefined {
  const of = (name: string) => environment[name] || undefined
  const isGiven = (signal: string) => of('OTEL_EXPORTER_OTLP_ENDPOINT') ?? of(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)
  const wanted = (signal: string) => isGiven(signal) !== undefined && of(`OTEL_${signal}_EXPORTER`) !== 'none'
  const [traces, metrics] = [wanted('TRACES'), wanted('METRICS')]
  if (of('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || !(traces || metrics)) return undefined
  const protocol = of('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/protobuf'
  const problem = protocols.includes(protocol)
    ? undefined
    : `OTEL_EXPORTER_OTLP_PROTOCOL must be ${protocols.join(' or ')}; nothing is sent`
  const everyMs = Number(of('OTEL_METRIC_EXPORT_INTERVAL'))
  return {
    problem,
    json: protocol === 'http/json',
    traces,
    metrics: metrics ? { everyMs: everyMs >= 100 ? everyMs : 60_000 } : undefined,
  }
}
