import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../db/pool/database.ts'

/** Creates the metrics of the pools of connections to the database. */
export function databaseMetrics(register: Registry, db: Database): void {
  const registers = [register]
  const labelNames = ['pool', 'state'] as const
  new Gauge({
    name: 'database_connections',
    help: 'Connections of this server to the database by what they are for. state: busy, idle.',
    labelNames,
    registers,
    collect() {
      for (const { kind, total, idle } of db.pools) {
        this.set({ pool: kind, state: 'busy' }, total - idle)
        this.set({ pool: kind, state: 'idle' }, idle)
      }
    },
  })
  gaugeByPool('database_connections_limit', 'How many connections a pool opens at most.', ({ most }) => most)
  gaugeByPool('database_waiting', 'Statements and transactions that wait for a connection.', ({ waiting }) => waiting)

  function gaugeByPool(name: string, help: string, shown: (pool: Database['pools'][number]) => number): void {
    new Gauge({
      ...{ name, help, labelNames: ['pool'], registers },
      collect() {
        for (const pool of db.pools) this.set({ pool: pool.kind }, shown(pool))
      },
    })
  }
}
