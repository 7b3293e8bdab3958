import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { dropOnNodes, makeOnNodes, onCitus } from './citus.ts'

/**
 * Makes a database in the PostgreSQL at `url`. What is written to it may be lost with the power: tests commit often, and
 * the disk would be what they wait for.
 * @param purpose what its name begins with
 * @param like the name of another one, to which nobody is connected: it is made with what is in that
 */
export async function newDatabase(url: string, purpose: string, like?: string) {
  const name = `${purpose}_${randomUUID().replaceAll('-', '')}`
  const made = new URL(url)
  made.pathname = `/${name}`
  if (onCitus) {
    await makeOnNodes(url, name, like)
    return { name, url: String(made), drop: () => dropOnNodes(url, name) }
  }
  const run = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await run(
    `create database ${name} ${like === undefined ? '' : `template ${like}`}`,
    `alter database ${name} set synchronous_commit = off`,
  )
  return { name, url: String(made), drop: () => run(`drop database if exists ${name} with (force)`) }
}
