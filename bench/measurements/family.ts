import type { Row } from '../rows.ts'
import type { Bench } from './bench.ts'

/** What is measured together, under a name by which it can be asked for alone. */
export interface Family {
  name: string
  /** whether a quick run has it */
  inQuick: boolean
  /** whether it is of one server alone: another one beside it would follow the same log, and send the same webhooks */
  alone?: true
  rows(bench: Bench): Promise<Row[]>
}
