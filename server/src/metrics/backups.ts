import { Counter, Gauge, type Registry } from 'prom-client'

/** Counts the backups that are made by themselves. */
export interface BackupMetrics {
  /** @param last the newest that is there */
  found(last: { madeMs: number; sizeBytes: number } | undefined): void
  made(seconds: number): void
  failed(): void
}

/** The metrics of backups, of a server that makes some. */
export function backupMetrics(register: Registry): BackupMetrics {
  const registers = [register]
  const last = new Gauge({
    name: 'backup_last_timestamp_seconds',
    help: 'When the newest backup that is there was begun; 0: there is none.',
    registers,
  })
  const size = new Gauge({ name: 'backup_last_size_bytes', help: 'How large the newest backup is.', registers })
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
      last.set(newest ? newest.madeMs / 1_000 : 0)
      size.set(newest?.sizeBytes ?? 0)
    },
    made: (seconds) => duration.set(seconds),
    failed: () => failures.inc(),
  }
}
