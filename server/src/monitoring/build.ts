import { Gauge, type Registry } from 'prom-client'

/** The metric that says which program this is. */
export function buildMetrics(register: Registry, version: string): void {
  new Gauge({
    name: 'taskwright_build_info',
    help: 'Always 1: the version of Taskwright and of Node that answers.',
    labelNames: ['version', 'node'],
    registers: [register],
    aggregator: 'max',
  }).set({ version, node: process.versions.node }, 1)
}
