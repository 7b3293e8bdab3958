import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../db/database.ts'

/** The metrics of the pool of connections to the database, and of transactions. */
export function databaseMetrics(register: Registry, db: Database): void {
  const registers = [register]
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool; waiting: requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = db.connectionCounts
      this.set({ state: 'busy' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Counter({
    name: 'database_shared_transactions_total',
    help: 'Transactions that writes of one organization shared. writes: what was done in them; alone: writes that had to run by themselves after all.',
    labelNames: ['of'],
    registers,
    collect() {
      this.reset()
      for (const [of, count] of Object.entries(db.sharedCounts)) this.inc({ of }, count)
    },
  })
}
