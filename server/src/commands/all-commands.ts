import cluster from 'node:cluster'
import { type Command, command } from './command.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** The table of contents of the command line, in the order of --help. What a command needs is loaded once it is asked for. */
export const allCommands: readonly Command[] = [
  command('serve', {
    line: '[--demo]',
    about: [
      'start the server (what npm start does); with --demo an empty database is',
      'filled with something to look at',
    ],
    options: { demo: flag },
    run: async ({ config, values: { demo = false }, output }) => {
      const { createFirstOrganization } = await import('./first-organization.ts')
      const { serve } = await import('../processes/serve.ts')
      await serve(config, output, (db) => createFirstOrganization(db, output, demo))
    },
  }),
  // one process of several: of a server, never of a person
  ...(cluster.isWorker
    ? [
        command('worker', {
          about: [],
          run: async ({ config }) => (await import('../processes/worker.ts')).runWorker(config),
        }),
      ]
    : []),
  command('migrate', {
    about: ['bring the database up to date, and end'],
    run: async ({ config, output }) => {
      const { withDatabase } = await import('./with-database.ts')
      await withDatabase(config, output, async (_, applied) =>
        output.print(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`),
      )
    },
  }),
  command('doctor', {
    line: '[--json]',
    about: [
      'look at the settings, the machine and the database, changing nothing; one',
      'line each, and exit code 1 when something is wrong',
    ],
    options: { json: flag },
    run: async (asked) => (await import('./doctor.ts')).runDoctor(asked),
  }),
  command('backup', {
    line: '<file> [--org <id>] [--force] [--verify]',
    about: [
      'write all that is in the database into a file, while the server goes on;',
      '- is standard output. --org: one organization alone; --force: in place of a',
      'file that is there; --verify: then restore it into a throw-away database,',
      'and compare',
    ],
    options: { org: text, force: flag, verify: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./backup.ts')).runBackup(asked),
  }),
  command('restore', {
    line: '<file> [--org <id>] [--verify]',
    about: [
      'restore a backup into an empty database. --org: one organization of it, also',
      'into a database with others; --verify: only try it, in a throw-away database,',
      'and compare',
    ],
    options: { org: text, verify: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./restore.ts')).runRestore(asked),
  }),
  command('org create', {
    line: '--name <name> --owner-name <name> --owner-email <e-mail>',
    about: ["found an organization; prints its id and its owner's API key"],
    options: { name: text, 'owner-name': text, 'owner-email': text },
    run: async (asked) => (await import('./org-create.ts')).runOrgCreate(asked),
  }),
  command('org list', {
    line: '[--json]',
    about: [
      'list the organizations, oldest first, with how many members and tasks each has;',
      '--json: a line of JSON for each',
    ],
    options: { json: flag },
    run: async (asked) => (await import('./org-list.ts')).runOrgList(asked),
  }),
  command('org show', {
    line: '<id> [--json]',
    about: ['show an organization: its state, its owners, and what it takes in each table'],
    options: { json: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./org-show.ts')).runOrgShow(asked),
  }),
  command('org delete', {
    line: '<id> [--yes]',
    about: [
      'delete an organization for good, at once, whether its owner deleted it before',
      'or not; asks for its name unless --yes is given. Stopped, it goes on when it is',
      'run again, and within minutes where a server runs',
    ],
    options: { yes: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./org-delete.ts')).runOrgDelete(asked),
  }),
  command('org restore', {
    line: '<id>',
    about: ['bring back an organization that was deleted in the last 30 days, with its keys'],
    mostOperands: 1,
    run: async (asked) => (await import('./org-restore.ts')).runOrgRestore(asked),
  }),
  command('key create', {
    line: '[--org <id>] [--email <e-mail>] [--name <name>]',
    about: ['make an API key; prints it. Default: for the first owner'],
    options: { org: text, email: text, name: text },
    run: async (asked) => (await import('./key-create.ts')).runKeyCreate(asked),
  }),
  command('key list', {
    line: '[--org <id>] [--json]',
    about: [
      'list the API keys of an organization, or of all: who holds them, what they may,',
      'when they were last used; never the keys themselves. --json: a line for each',
    ],
    options: { org: text, json: flag },
    run: async (asked) => (await import('./key-list.ts')).runKeyList(asked),
  }),
  command('key revoke', {
    line: '<id of the key, or the key> [--alone]',
    about: [
      'revoke an API key at once, with all keys that were made with it, with those,',
      'and so on; --alone: this key only',
    ],
    // --descendants, once needed for what is the default now, is still taken
    options: { alone: flag, descendants: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./key-revoke.ts')).runKeyRevoke(asked),
  }),
  command('member erase', {
    line: '<id of the member> [--yes]',
    about: [
      'erase a member: it is removed, and its name and e-mail address are taken away',
      'for good; what it did and what it wrote stay. Asks for the address unless --yes',
      'is given',
    ],
    options: { yes: flag },
    mostOperands: 1,
    run: async (asked) => (await import('./member-erase.ts')).runMemberErase(asked),
  }),
  command('operator-token new', {
    line: '[--name <name>]',
    about: ['make a token for the operator, beside OPERATOR_TOKEN; prints it. All servers', 'know it within a second'],
    options: { name: text },
    run: async (asked) => (await import('./operator-token.ts')).runOperatorTokenNew(asked),
  }),
  command('operator-token list', {
    line: '[--json]',
    about: ['list these tokens, without what they are; --json: a line for each'],
    options: { json: flag },
    run: async (asked) => (await import('./operator-token.ts')).runOperatorTokenList(asked),
  }),
  command('operator-token revoke', {
    line: '<id of the token>',
    about: ['revoke one of these tokens, in all servers within a second'],
    mostOperands: 1,
    run: async (asked) => (await import('./operator-token.ts')).runOperatorTokenRevoke(asked),
  }),
  command('secret-key change', {
    line: '<file with the former key>',
    about: ['seal the secrets of webhooks by SECRET_KEY instead of the former key'],
    mostOperands: 1,
    run: async (asked) => (await import('./secret-key-change.ts')).runSecretKeyChange(asked),
  }),
  command('seed', {
    line: '[--seed <number>] [--size <tasks>]',
    about: [
      'make an organization with a year of work in it; prints its id and API keys',
      'Default: seed 1, 2000 tasks',
    ],
    options: { seed: text, size: text },
    run: async (asked) => (await import('./seed.ts')).runSeed(asked),
  }),
]
