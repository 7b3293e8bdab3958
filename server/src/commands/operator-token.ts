import { newOperatorToken, type OperatorToken, readOperatorTokens } from '../access/operator-tokens.ts'
import { Name } from '../contract/fields.ts'
import type { Transaction } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'
import { command, UsageProblem, valid } from './command.ts'
import { moment, tableOf } from './table.ts'
import { withDatabase } from './with-database.ts'

/** Makes a token for the operator, beside those that there are. */
export const operatorTokenNewCommand = command('operator-token new', {
  line: '[--name <name>]',
  about: ['make a token for the operator, beside OPERATOR_TOKEN; prints it. All servers', 'know it within a second'],
  options: { name: { type: 'string' } },
  run: ({ config, values: { name = 'Made on the command line' }, output }) =>
    withDatabase(config, output, async (db) => {
      const named = valid('name', Name, name)
      const { secret, stored } = newOperatorToken({ id: newId(), name: named, createdAt: new Date().toISOString() })
      await db.transaction(async (tx) => {
        const tokens = await held(tx)
        if (tokens.length >= most) throw new UsageProblem(`There are ${most} operator tokens; revoke one first.`)
        await keep(tx, [...tokens, stored])
      })
      output.say(`The operator token ${stored.id}, shown only now:`)
      output.print(secret)
    }),
})

/** Lists the operator's tokens, never what they are. */
export const operatorTokenListCommand = command('operator-token list', {
  line: '[--json]',
  about: ['list these tokens, without what they are; --json: a line for each'],
  options: { json: { type: 'boolean' } },
  run: ({ config, values: { json }, output }) =>
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
    }),
})

/** Revokes one of the operator's tokens. */
export const operatorTokenRevokeCommand = command('operator-token revoke', {
  line: '<id of the token>',
  about: ['revoke one of these tokens, in all servers within a second'],
  mostOperands: 1,
  run: ({ config, operands: [id], output }) =>
    withDatabase(config, output, async (db) => {
      if (id === undefined) throw new UsageProblem('operator-token revoke needs the id of a token.')
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
    }),
})

/** The tokens, for one who changes them at a time. */
async function held(tx: Transaction): Promise<OperatorToken[]> {
  await tx.rows(sql`select id from instance for update`)
  return readOperatorTokens(tx)
}

const keep = (tx: Transaction, tokens: readonly OperatorToken[]) =>
  tx.rows(sql`update instance set operator_tokens = ${JSON.stringify(tokens)}::json`)

const most = 20
