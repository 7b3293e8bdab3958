import { randomBytes, randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { foundMembership, foundOrganization } from './conformance/organization.mjs'
import { askOnce, installSchemathesis } from './conformance/schemathesis.mjs'
import { startServer } from './conformance/server.mjs'
import { ensureInstalled } from './install.mjs'

const usage = `npm run conformance -- [options]

  --requests <number>      ask at least so often, in as many rounds as it takes (20000)
  --max-examples <number>  generated cases for each operation and phase of a round (25)
  --seed <number>          of the first round, to repeat a run
  --python <program>       the Python to use (python3)`

const text = { type: 'string' }
const options = {
  help: { type: 'boolean', short: 'h' },
  ...{ requests: text, 'max-examples': text, seed: text, python: text },
}

process.exitCode = await conformance()

/** @returns the exit code: 0 if every response conforms to the document */
async function conformance() {
  const { values } = parseArgs({ options })
  if (values.help) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  ensureInstalled()
  const scratch = mkdtempSync(join(tmpdir(), 'taskwright-conformance-'))
  // as root, PostgreSQL runs as another account
  chmodSync(scratch, 0o755)
  let server
  try {
    const program = installSchemathesis(join(scratch, 'venv'), values.python ?? 'python3')
    const operatorToken = randomBytes(16).toString('hex')
    server = await startServer(scratch, operatorToken)
    const organizations = {
      first: await foundOrganization(server.api, operatorToken, 'First'),
      second: await foundOrganization(server.api, operatorToken, 'Second'),
      member: await foundMembership(server.api, operatorToken, 'Third'),
    }
    const files = describeRun(scratch, operatorToken, organizations)
    return await rounds({ program, server, files, organizations, values })
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    await server?.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Writes the file with the keys and ids of the organizations for Schemathesis. */
function describeRun(scratch, operatorToken, organizations) {
  const all = Object.entries(organizations)
  const each = (of) => Object.fromEntries(all.map(([name, organization]) => [name, of(organization)]))
  const idsOf = ({ ids, deleted, spared }) => [ids, deleted].flatMap((of) => Object.values(of).flat()).concat(spared)
  const bearer = ({ key }) => `Bearer ${key}`
  const user = (name, organization) => ({
    name,
    fixedHeaders: [{ name: 'Authorization', value: bearer(organization) }],
  })
  const files = { run: join(scratch, 'run.json'), auth: {} }
  for (const [name, asking] of all) {
    const [, other] = all.find(([another]) => another !== name)
    files.auth[name] = join(scratch, `auth-${name}.json`)
    writeFileSync(files.auth[name], JSON.stringify({ auth: [user('asking', asking), user('other', other)] }))
  }
  const run = {
    operatorToken,
    ids: each(({ ids }) => ids),
    deleted: each(({ deleted }) => deleted),
    spared: all.flatMap(([, { spared }]) => spared),
    foreign: Object.fromEntries(
      all.map(([, own]) => [bearer(own), all.flatMap(([, other]) => (other === own ? own.hidden : idsOf(other)))]),
    ),
  }
  writeFileSync(files.run, JSON.stringify(run))
  return files
}

/** Tests with each key in turn until there are enough requests, and with each key at least once. */
async function rounds({ program, server, files, organizations, values }) {
  const wanted = Number(values.requests ?? 20_000)
  const firstSeed = Number(values.seed ?? randomInt(2 ** 31))
  let failures = 0
  const users = Object.keys(organizations)
  for (let round = 0, asked = 0; asked < wanted || round < users.length; round++) {
    const user = users[round % users.length]
    const seed = firstSeed + round
    const found = await askOnce({ program, server, files, user, seed, maxExamples: values['max-examples'] ?? '25' })
    failures += found
    asked = await server.requests()
    process.stdout.write(`Round ${round + 1} (${user}), seed ${seed}: ${found} failures; ${asked} requests so far\n`)
    if (!(await server.knows(organizations[user].key)))
      throw new Error('The key of the run is dead: what came after its end proves nothing.')
  }
  process.stdout.write(`${await server.summary()}\n${failures} failures\n`)
  const unforeseen = server.unforeseen()
  process.stderr.write(unforeseen)
  return failures === 0 && unforeseen === '' ? 0 : 1
}
