import type { Row } from '../rows.ts'
import type { Bench } from './bench.ts'

/** What is measured together, under a name by which it can be asked for alone. */
export interface Family {
  name: string
  /** whether a quick run has it */
  inQuick: boolean
  rows(bench: Bench): Promise<Row[]>
}
