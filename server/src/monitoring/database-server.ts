import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** The database server and the disk that the metrics read from time to time. */
interface ServerStatistics {
  db: Db
  /** the data directory of the embedded database */
  dataDir: string | undefined
}

/** Metrics of the database server as a whole, and of its disk. */
export interface DatabaseServerMetrics {
  watch(looked: ServerStatistics): void
}

/**
 * Creates the metrics of the database server and of its disk. A scrape waits for neither: it shows the last values, and starts
 * to fetch new ones.
 */
export function databaseServerMetrics(register: Registry): DatabaseServerMetrics {
  const registers = [register]
  let looked: ServerStatistics | undefined
  let lookedAtMs = Number.NEGATIVE_INFINITY
  const look = () => {
    if (looked === undefined || performance.now() - lookedAtMs < everyMs) return
    lookedAtMs = performance.now()
    const { db, dataDir } = looked
    void countConnections(db).catch(() => {
      connections.reset()
      most.reset()
    })
    if (dataDir !== undefined) void measureDisk(dataDir).catch(() => disk.reset())
  }
  const connections = new Gauge({
    name: 'database_server_connections',
    help: 'Connections that the database server has, of whatever programs; asked every 10 s at most.',
    registers,
    collect: look,
  })
  const most = new Gauge({
    name: 'database_server_connections_limit',
    help: 'How many connections ordinary accounts may have on the database server (max_connections without what is kept for superusers).',
    registers,
  })
  const disk = new Gauge({
    name: 'data_directory_disk_bytes',
    help: 'The disk of the embedded database: its size, and what is free on it for this account.',
    labelNames: ['of'],
    registers,
  })
  return {
    watch(given) {
      looked = given
      look()
    },
  }

  async function countConnections(db: Db): Promise<void> {
    const row = await db.row<{ now: number; most: number }>(sql`
      select (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as now,
        current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as most`)
    connections.set(row?.now ?? 0)
    most.set(row?.most ?? 0)
  }

  async function measureDisk(dataDir: string): Promise<void> {
    const { bsize, blocks, bavail } = await statfs(dataDir)
    disk.set({ of: 'size' }, bsize * blocks)
    disk.set({ of: 'free' }, bsize * bavail)
  }
}

const everyMs = 10_000
