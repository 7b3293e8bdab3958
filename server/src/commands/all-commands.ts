import cluster from 'node:cluster'
import { type Command, command } from './command.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** All commands, in the order of --help. The code of a command is loaded when it runs. */
export const allCommands: readonly Command[] = [
  command('serve', {
    line: '[--demo]',
    about: ['start the server (like npm start). --demo: fill an empty database with', 'example data'],
    options: { demo: flag },
    run: async ({ config, values: { demo = false }, output }) => {
      const { createFirstOrganization } = await import('./first-organization.ts')
      const { serve } = await import('../processes/serve.ts')
      await serve(config, output, (db) => createFirstOrganization(db, output, demo))
    },
  }),
  // only the server starts workers, never a person
  ...(cluster.isWorker
    ? [
        command('worker', {
          about: [],
          run: async ({ config }) => (await import('../processes/worker.ts')).runWorker(config),
        }),
      ]
    : []),
  command('migrate', {
    about: ['migrate the database to this version, then exit'],
    run: async ({ config, output }) => {
      const { withDatabase } = await import('./with-database.ts')
      await withDatabase(config, output, async (_, applied) =>
        output.print(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`),
      )
    },
  }),
  command('doctor', {
    line: '[--json] [--mail <address>] [--oidc]',
    about: [
      'check the settings, the machine and the database, and change nothing. Prints',
      'one line per check; the exit code is 1 if something is wrong. --mail: only send',
      'a test mail, and say how far it got; --oidc: only check the providers of single',
      'sign-on, and show the claims of the last sign-in',
    ],
    options: { json: flag, mail: text, oidc: flag },
    run: async (asked) => (await import('./doctor.ts')).runDoctor(asked),
  }),
  command('backup', {
    line: '<file> [--org <id>] [--force] [--verify]',
    about: [
      'back up the database to a file while the server runs; - is standard output.',
      '--org: only one organization; --force: replace an existing file; --verify:',
      'then restore it into a temporary database and compare',
    ],
    options: { org: text, force: flag, verify: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./backup.ts')).runBackup(asked),
  }),
  command('restore', {
    line: '<file> [--org <id>] [--verify]',
    about: [
      'restore a backup into an empty database. --org: only one organization of it,',
      'also into a database with other organizations; --verify: only test the backup',
      'in a temporary database',
    ],
    options: { org: text, verify: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./restore.ts')).runRestore(asked),
  }),
  command('sign-in-link', {
    line: '--member <e-mail> [--org <id>]',
    about: [
      'print a link that signs a member in once, within 15 minutes. --org: if the',
      'member is in several organizations',
    ],
    options: { member: text, org: text },
    run: async (asked) => (await import('./sign-in-link.ts')).runSignInLink(asked),
  }),
  command('org create', {
    line: '--name <name> --owner-name <name> --owner-email <e-mail>',
    about: ["create an organization; prints its id and its owner's API key"],
    options: { name: text, 'owner-name': text, 'owner-email': text },
    run: async (asked) => (await import('./org-create.ts')).runOrgCreate(asked),
  }),
  command('org list', {
    line: '[--json]',
    about: [
      'list the organizations, oldest first, with their numbers of members and tasks.',
      '--json: one line of JSON for each',
    ],
    options: { json: flag },
    run: async (asked) => (await import('./org-list.ts')).runOrgList(asked),
  }),
  command('org show', {
    line: '<id> [--json]',
    about: ['show an organization: its state, its owners, and its size in each table'],
    options: { json: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./org-show.ts')).runOrgShow(asked),
  }),
  command('org delete', {
    line: '<id> [--yes]',
    about: [
      'erase an organization at once and for good, deleted or not. Asks for its name',
      'unless --yes is given. If you stop the command, run it again to continue; a',
      'running server also continues, within minutes',
    ],
    options: { yes: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./org-delete.ts')).runOrgDelete(asked),
  }),
  command('org restore', {
    line: '<id>',
    about: ['restore an organization that was deleted in the last 30 days, with its keys'],
    mostOperands: 1,
    run: async (asked) => (await import('./org-restore.ts')).runOrgRestore(asked),
  }),
  command('key create', {
    line: '[--org <id>] [--email <e-mail>] [--name <name>]',
    about: ['create an API key and print it. Default: for the first owner'],
    options: { org: text, email: text, name: text },
    run: async (asked) => (await import('./key-create.ts')).runKeyCreate(asked),
  }),
  command('key list', {
    line: '[--org <id>] [--json]',
    about: [
      'list the API keys of one organization or of all, with their members, scopes and',
      'last use; never the secrets. --json: one line of JSON for each',
    ],
    options: { org: text, json: flag },
    run: async (asked) => (await import('./key-list.ts')).runKeyList(asked),
  }),
  command('key revoke', {
    line: '<id of the key, or the key> [--alone]',
    about: [
      'revoke an API key at once, and all keys created with it, directly or through',
      'other keys. --alone: only this key',
    ],
    // --descendants is the default now; scripts may still pass it
    options: { alone: flag, descendants: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./key-revoke.ts')).runKeyRevoke(asked),
  }),
  command('member erase', {
    line: '<id of the member> [--yes]',
    about: [
      'remove a member, and erase their name and e-mail address for good. Their work',
      'and their texts stay. Asks for the address unless --yes is given',
    ],
    options: { yes: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./member-erase.ts')).runMemberErase(asked),
  }),
  command('operator-token new', {
    line: '[--name <name>]',
    about: [
      'create an operator token in addition to OPERATOR_TOKEN, and print it. All',
      'servers accept it within a second',
    ],
    options: { name: text },
    run: async (asked) => (await import('./operator-token.ts')).runOperatorTokenNew(asked),
  }),
  command('operator-token list', {
    line: '[--json]',
    about: ['list these tokens, never the secrets. --json: one line of JSON for each'],
    options: { json: flag },
    run: async (asked) => (await import('./operator-token.ts')).runOperatorTokenList(asked),
  }),
  command('operator-token revoke', {
    line: '<id of the token>',
    about: ['revoke one of these tokens, on all servers within a second'],
    mostOperands: 1,
    run: async (asked) => (await import('./operator-token.ts')).runOperatorTokenRevoke(asked),
  }),
  command('secret-key change', {
    line: '<file with the former key>',
    about: ['encrypt the secrets of webhooks with SECRET_KEY instead of the former key'],
    mostOperands: 1,
    run: async (asked) => (await import('./secret-key-change.ts')).runSecretKeyChange(asked),
  }),
  command('seed', {
    line: '[--seed <number>] [--size <tasks>]',
    about: [
      'create an organization with a year of example data; prints its id and API keys.',
      'Default: seed 1, 2000 tasks',
    ],
    options: { seed: text, size: text },
    run: async (asked) => (await import('./seed.ts')).runSeed(asked),
  }),
]
