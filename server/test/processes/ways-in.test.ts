import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { onMigratedDatabase, outcome, serving } from '../support/slow/processes.ts'

const hash = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** A database where the owner can sign in with a password. */
async function withPassword(t: TestContext) {
  const settings = await onMigratedDatabase(t)
  const { kill } = await serving(t, settings)
  await kill('SIGTERM')
  const client = {
    async query(statement: string, values: string[] = []) {
      const opened = new pg.Client({ connectionString: settings.DATABASE_URL })
      await opened.connect()
      await opened.query(statement, values).finally(() => opened.end())
    },
  }
  const id = randomUUID()
  await client.query(
    'insert into persons (id, name, email, password_hash, created_at, updated_at) values ($1, $2, $3, $4, now(), now())',
    [id, 'Ann', 'ann@example.com', hash],
  )
  await client.query('update members set person_id = $1', [id])
  return { settings, client, id }
}

test('a start that turns off the only way in of people is refused with their number and what to do', async (t) => {
  const { settings, client, id } = await withPassword(t)
  const start = (more: object) => outcome(t, ['serve'], { PORT: '0', ...settings, ...more })
  const refused = await start({ SIGN_IN: 'passkey,key' })
  assert.deepEqual(
    [refused.code, refused.err],
    [
      2,
      [
        '1 person could not sign in any more, because SIGN_IN and the OIDC settings turn off every way that they use: ann@example.com.',
        'Add to SIGN_IN: password (1 person has a password). Or let them add another way first. To start anyway, set SIGN_IN_FORCE=true.',
      ],
    ],
  )
  const forced = await serving(t, { ...settings, SIGN_IN: 'passkey,key', SIGN_IN_FORCE: 'true' })
  await forced.kill('SIGTERM')
  const on = await serving(t, { ...settings, SIGN_IN: 'password' })
  await on.kill('SIGTERM')

  // with a passkey, the password may go; an account at a provider that is not set up is no way in
  await client.query(
    `insert into passkeys (id, person_id, credential_id, public_key, counter, name, created_at)
     values ($1, $1, '\\x01', '\\x01', 0, 'Laptop', now())`,
    [id],
  )
  const withPasskey = await serving(t, { ...settings, SIGN_IN: 'passkey' })
  await withPasskey.kill('SIGTERM')
  await client.query('delete from passkeys')
  await client.query('update persons set password_hash = null')
  await client.query(
    `insert into identities (id, person_id, issuer, subject, created_at)
     values ($1, $1, 'https://id.example.com', 'ann', now())`,
    [id],
  )
  const removed = await start({})
  assert.equal(removed.code, 2)
  assert.match(
    removed.err.join(' '),
    /^1 person could not .* Add to SIGN_IN: oidc, with the provider \(1 person has an account\)/,
  )
  const provider = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'taskwright' }
  const back = await serving(t, { ...settings, ...provider })
  await back.kill('SIGTERM')

  // people who are no active members, or have no way at all, depend on nothing
  await client.query("update members set status = 'deactivated'")
  const nobody = await serving(t, { ...settings, SIGN_IN: 'passkey' })
  await nobody.kill('SIGTERM')
})
