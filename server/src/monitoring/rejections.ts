import { Counter, type Registry } from 'prom-client'

/** The metric that counts promises whose rejection nothing handled. @param name without `_total` */
export const rejectionMetric = (register: Registry, name: string): Counter =>
  new Counter({
    name: `${name}_total`,
    help: 'Errors of promises that nothing handled. Each is a bug: the log has its stack.',
    registers: [register],
  })
