import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics of automatic backups. */
export interface BackupMetrics {
  /** @param last the newest complete backup of this instance */
  found(last: { begunMs: number; sizeBytes: number } | undefined): void
  foreign(count: number): void
  made(seconds: number): void
  failed(): void
}

/** Creates the metrics of backups, for a server that makes some. */
export function backupMetrics(register: Registry): BackupMetrics {
  const registers = [register]
  const last = new Gauge({
    name: 'backup_last_timestamp_seconds',
    help: 'When the newest whole backup of this instance was begun; 0: there is none.',
    registers,
  })
  const size = new Gauge({ name: 'backup_last_size_bytes', help: 'How large the newest backup is.', registers })
  const foreign = new Gauge({
    name: 'backup_foreign_files',
    help: 'Archives in the directory of another instance, or with names that tell none. They are neither counted nor removed.',
    registers,
  })
  const duration = new Gauge({
    name: 'backup_last_duration_seconds',
    help: 'How long the last backup took that this process made.',
    registers,
  })
  const failures = new Counter({
    name: 'backup_failures_total',
    help: 'Backups that failed since this process began.',
    registers,
  })
  return {
    found(newest) {
      last.set(newest ? newest.begunMs / 1_000 : 0)
      size.set(newest?.sizeBytes ?? 0)
    },
    foreign: (count) => foreign.set(count),
    made: (seconds) => duration.set(seconds),
    failed: () => failures.inc(),
  }
}
