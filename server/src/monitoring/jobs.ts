import { Counter, Gauge, Registry } from 'prom-client'
import { type BackupMetrics, backupMetrics } from './backups.ts'
import { type DatabaseServerMetrics, databaseServerMetrics } from './database-server.ts'
import { type DeliveryMetrics, deliveryMetrics } from './deliveries.ts'
import { type MailMetrics, mailMetrics } from './mail.ts'

/** The metrics of the jobs that this process runs, by subject. */
export interface JobMetrics {
  register: Registry
  text(): Promise<string>
  /** @param failures number of failures in the run, in one organization or as a whole */
  ran(job: string, seconds: number, failures: number): void
  deliveries: DeliveryMetrics
  databaseServer: DatabaseServerMetrics
  /** of a process that serves no requests */
  unhandledRejections: Counter
  /** created only for a server that makes backups */
  backups(): BackupMetrics
  /** created only for a server that sends mail */
  mail(): MailMetrics
}

/** Creates the metrics of jobs. Only the process that runs them has these. */
export function createJobMetrics(): JobMetrics {
  const register = new Registry()
  return {
    register,
    text: () => register.metrics(),
    ran: runMetrics(register),
    deliveries: deliveryMetrics(register),
    databaseServer: databaseServerMetrics(register),
    unhandledRejections: rejectionMetric(register, 'job_unhandled_rejections'),
    backups: () => backupMetrics(register),
    mail: () => mailMetrics(register),
  }
}

function runMetrics(register: Registry): JobMetrics['ran'] {
  const [labelNames, registers] = [['job'] as const, [register]]
  const lastRun = new Gauge({
    name: 'job_last_run_timestamp_seconds',
    help: 'When a job last came to its end, in the one process of all that runs it.',
    labelNames,
    registers,
  })
  const duration = new Gauge({
    name: 'job_last_duration_seconds',
    help: 'How long the last run of a job took.',
    labelNames,
    registers,
  })
  const failures = new Counter({
    name: 'job_failures_total',
    help: 'How often a job failed, in one organization or as a whole.',
    labelNames,
    registers,
  })
  const runs = new Counter({ name: 'job_runs_total', help: 'How often a job came to its end.', labelNames, registers })
  return (job, seconds, failed) => {
    runs.inc({ job })
    lastRun.set({ job }, Date.now() / 1_000)
    duration.set({ job }, seconds)
    failures.inc({ job }, failed)
  }
}

/** Creates the metric that counts unhandled rejections of promises. @param name without `_total` */
export const rejectionMetric = (register: Registry, name: string): Counter =>
  new Counter({
    name: `${name}_total`,
    help: 'Errors of promises that nothing handled. Each is a bug: the log has its stack.',
    registers: [register],
  })
