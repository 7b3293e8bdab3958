import { isGiven } from '../arguments/given.ts'
import type { OwnCommand } from '../commands/own-command.ts'
import { paintFor } from '../output/colours.ts'
import { writeTable } from '../output/table.ts'
import { WrongUse } from '../problems.ts'
import { didYouMean } from '../suggestions.ts'
import { readProfiles, writeProfiles } from './profiles.ts'

/** Lists the profiles, or sets the default one. */
export const profiles: OwnCommand = {
  summary: 'List your profiles, or choose the default one',
  description: 'With a name, that profile becomes the default: tw uses it if you name none.',
  positionals: '[<name>]',
  most: 1,
  flags: { json: { help: 'print the list as JSON, without the keys' } },
  examples: ['tw profiles', 'tw profiles staging'],
  async run(given, terminal) {
    const { env, out, err } = terminal
    const { current, byName } = await readProfiles(env)
    const [name] = given.positionals
    if (name !== undefined) {
      if (!Object.hasOwn(byName, name))
        throw new WrongUse(`There is no profile '${name}'.${didYouMean(name, Object.keys(byName))}`)
      await writeProfiles(env, { current: name, byName })
      return
    }
    const rows = Object.entries(byName).map(([profile, { url, key }]) => ({
      ...{ profile, url, key: `${key.slice(0, 7)}…`, usual: profile === current },
    }))
    if (isGiven(given, 'json')) out.write(`${JSON.stringify(rows, null, 2)}\n`)
    else if (rows.length === 0) err.write('You are not signed in. Run tw login.\n')
    else {
      const columns = ['profile', 'url', 'key', 'usual'].map((title) => ({ title }))
      const cells = rows.map((row) => [row.profile, row.url, row.key, row.usual ? 'yes' : ''])
      writeTable(columns, cells, out, paintFor(terminal, out))
    }
  },
}
