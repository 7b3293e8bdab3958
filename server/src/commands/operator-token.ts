import { newOperatorToken, type OperatorToken, readOperatorTokens } from '../access/operator-tokens.ts'
import { Name } from '../contract/fields.ts'
import { newId } from '../db/ids.ts'
import type { Transaction } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { type CommandContext, UsageProblem, valid } from './command.ts'
import { moment, tableOf } from './table.ts'
import { withDatabase } from './with-database.ts'

/** Creates one more operator token. */
export const runOperatorTokenNew = ({
  config,
  values: { name = 'Made on the command line' },
  output,
}: CommandContext<{ name: string }>): Promise<void> =>
  withDatabase(config, output, async (db) => {
    const named = valid('name', Name, name)
    const { secret, stored } = newOperatorToken({ id: newId(), name: named, createdAt: new Date().toISOString() })
    await db.transaction(async (tx) => {
      const tokens = await held(tx)
      if (tokens.length >= most) throw new UsageProblem(`There are ${most} operator tokens. Revoke one first.`)
      await keep(tx, [...tokens, stored])
    })
    output.say(`The operator token ${stored.id}, shown only now:`)
    output.print(secret)
  })

/** Lists the operator tokens without their secrets. */
export const runOperatorTokenList = ({
  config,
  values: { json },
  output,
}: CommandContext<{ json: boolean }>): Promise<void> =>
  withDatabase(config, output, async (db) => {
    const tokens = (await readOperatorTokens(db)).map(({ id, name, createdAt }) => ({ id, name, createdAt }))
    if (json) for (const token of tokens) output.print(JSON.stringify(token))
    else
      tableOf<(typeof tokens)[number]>(
        [
          { heading: 'ID', of: ({ id }) => id },
          { heading: 'CREATED', of: ({ createdAt }) => moment(createdAt) },
          { heading: 'NAME', of: ({ name }) => name },
        ],
        output.print,
      )(tokens)
  })

/** Revokes an operator token. */
export const runOperatorTokenRevoke = ({ config, operands: [id], output }: CommandContext): Promise<void> =>
  withDatabase(config, output, async (db) => {
    if (id === undefined) throw new UsageProblem('Name a token by its id: taskwright operator-token revoke <id>.')
    const revoked = await db.transaction(async (tx) => {
      const tokens = await held(tx)
      const token = tokens.find((one) => one.id === id.toLowerCase())
      if (token === undefined) throw new UsageProblem(`There is no operator token ${id}.`)
      await keep(
        tx,
        tokens.filter((one) => one !== token),
      )
      return token
    })
    output.print(`Revoked ${revoked.id}.`)
  })

/** Reads the tokens and locks them, so that concurrent changes wait. */
async function held(tx: Transaction): Promise<OperatorToken[]> {
  await tx.rows(sql`select id from instance for update`)
  return readOperatorTokens(tx)
}

const keep = (tx: Transaction, tokens: readonly OperatorToken[]) =>
  tx.rows(sql`update instance set operator_tokens = ${JSON.stringify(tokens)}::json`)

const most = 20
