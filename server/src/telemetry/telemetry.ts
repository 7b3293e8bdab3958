import { randomUUID } from 'node:crypto'
import type { Attributes, Context, Span } from '@opentelemetry/api'
import type { Registry } from 'prom-client'
import type { StatementWatch } from '../db/statement-watch.ts'
import { metricsIn } from './metrics.ts'
import { settingsIn, type TelemetrySettings } from './settings.ts'
import { summaryOf } from './statements.ts'

/** What is told of a request while it runs, and once it is over. */
export interface RequestTrace {
  /** who is told of the statements of an operation of it, besides `watch` */
  statements(operation: string, watch: StatementWatch): StatementWatch
  /** @param status undefined when nobody waited for the answer */
  end(route: string | undefined, status: number | undefined, orgId: string | undefined): void
}

/** Traces and metrics that are sent to where OTEL_EXPORTER_OTLP_ENDPOINT says. */
export interface Telemetry {
  /** A request has begun. A `traceparent` among its headers is taken on. */
  request(method: string, headers: Record<string, string | string[] | undefined>): RequestTrace
  /** A job has come to its end. */
  ran(job: string, seconds: number, failures: number): void
  /** Sends something to a webhook. @param send is given headers that pass the trace on */
  delivery<T extends { status: number }>(send: (headers: Record<string, string>) => Promise<T>): Promise<T>
  /** sends what is left, for two seconds at most */
  close(): Promise<void>
}

interface TelemetryOptions {
  environment: Record<string, string | undefined>
  /** of this server */
  version: string
  /** what Prometheus would read of this process */
  registers: readonly Registry[]
  /** called when something could not be sent */
  warn(reason: string): void
}

/** Sends traces and metrics, if the environment says where to; else nothing is loaded, and nothing is returned. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry | undefined> {
  const settings = settingsIn(options.environment)
  if (settings === undefined) return undefined
  if (settings.problem === undefined) return sending(settings, options)
  options.warn(settings.problem)
  return undefined
}

const closeMs = 2_000

async function sending(
  { json, traces, metrics }: TelemetrySettings,
  { version, registers, warn }: TelemetryOptions,
): Promise<Telemetry> {
  const [api, core, resources, tracing, measuring] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/sdk-metrics'),
  ])
  const [{ OTLPTraceExporter }, { OTLPMetricExporter }] = json
    ? await Promise.all([
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/exporter-metrics-otlp-http'),
      ])
    : await Promise.all([
        import('@opentelemetry/exporter-trace-otlp-proto'),
        import('@opentelemetry/exporter-metrics-otlp-proto'),
      ])
  core.setGlobalErrorHandler((error) => warn(error instanceof Error ? error.message : String(error)))
  const own = { 'service.name': 'taskwright', 'service.version': version, 'service.instance.id': randomUUID() }
  const resource = resources
    .resourceFromAttributes(own)
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
  // it keeps 2048 spans at most (OTEL_BSP_MAX_QUEUE_SIZE), and drops others
  const spanProcessors = traces ? [new tracing.BatchSpanProcessor(new OTLPTraceExporter())] : []
  const tracerProvider = new tracing.BasicTracerProvider({ resource, spanProcessors })
  const tracer = tracerProvider.getTracer('taskwright', version)
  const meterProvider = metrics
    ? new measuring.MeterProvider({
        resource,
        readers: [
          new measuring.PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter(),
            exportIntervalMillis: metrics.everyMs,
            exportTimeoutMillis: Math.min(metrics.everyMs, 30_000),
            metricProducers: [
              {
                collect: async () => ({
                  resourceMetrics: {
                    resource,
                    scopeMetrics: [{ scope: { name: 'taskwright', version }, metrics: await metricsIn(registers) }],
                  },
                  errors: [],
                }),
              },
            ],
          }),
        ],
      })
    : undefined
  const propagator = new core.W3CTraceContextPropagator()
  const { SpanKind, SpanStatusCode, ROOT_CONTEXT, trace } = api

  return {
    request(method, headers) {
      const from = propagator.extract(ROOT_CONTEXT, headers, api.defaultTextMapGetter)
      return requestTrace(tracer.startSpan(method, { kind: SpanKind.SERVER }, from), method)
    },
    ran(job, seconds, failures) {
      const nowMs = Date.now()
      const span = tracer.startSpan(
        `job ${job}`,
        { startTime: nowMs - seconds * 1_000, attributes: { 'taskwright.job': job, 'taskwright.failures': failures } },
        ROOT_CONTEXT,
      )
      if (failures > 0) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(nowMs)
    },
    async delivery(send) {
      const span = tracer.startSpan('deliver webhook', { kind: SpanKind.CLIENT }, ROOT_CONTEXT)
      const headers: Record<string, string> = {}
      propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, api.defaultTextMapSetter)
      try {
        const answer = await send(headers)
        span.setAttribute('http.response.status_code', answer.status)
        if (answer.status > 299) span.setStatus({ code: SpanStatusCode.ERROR })
        return answer
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    async close() {
      const closed = Promise.allSettled([tracerProvider.shutdown(), meterProvider?.shutdown()])
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, closeMs).unref())])
    },
  }

  function requestTrace(span: Span, method: string): RequestTrace {
    // of one that is not sampled nothing more is made
    if (!span.isRecording()) return { statements: (_, watch) => watch, end: () => span.end() }
    const within = trace.setSpan(ROOT_CONTEXT, span)
    let operation: string | undefined
    return {
      statements(name, watch) {
        operation ??= name
        return {
          answered(statement, ms, rows) {
            watch.answered(statement, ms, rows)
            statementSpan(within, summaryOf(statement), ms, rows)
          },
        }
      },
      end(route, status, orgId) {
        const attributes: Attributes = { 'http.request.method': method }
        if (route !== undefined) attributes['http.route'] = route
        if (status !== undefined) attributes['http.response.status_code'] = status
        if (operation !== undefined) attributes['taskwright.operation'] = operation
        if (orgId !== undefined) attributes['taskwright.organization_id'] = orgId
        span.updateName(operation ?? `${method} ${route ?? 'unknown'}`)
        span.setAttributes(attributes)
        if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  function statementSpan(within: Context, summary: string, ms: number, rows: number): void {
    const nowMs = performance.timeOrigin + performance.now()
    const attributes = {
      'db.system.name': 'postgresql',
      'db.query.summary': summary,
      'db.response.returned_rows': rows,
    }
    tracer.startSpan(summary, { kind: SpanKind.CLIENT, startTime: nowMs - ms, attributes }, within).end(nowMs)
  }
}
