import { textOfFlag } from '../arguments/given.ts'
import type { OwnCommand } from '../commands/own-command.ts'
import { WrongUse } from '../problems.ts'
import { readProfiles, writeProfiles } from './profiles.ts'

/** Deletes the stored API key. The key stays valid, so other copies of it still work. */
export const logout: OwnCommand = {
  summary: 'Sign out: remove the stored API key',
  description: 'The key itself still works. To revoke it, use tw api-keys delete.',
  flags: {},
  examples: ['tw logout', 'tw logout --profile staging'],
  async run(given, { env, out }) {
    const { current, byName } = await readProfiles(env)
    const name = textOfFlag(given, 'profile') ?? current
    if (!Object.hasOwn(byName, name)) throw new WrongUse(`You are not signed in as '${name}'.`)
    const { [name]: gone, ...others } = byName
    const [next = 'default'] = Object.keys(others)
    await writeProfiles(env, { current: name === current ? next : current, byName: others })
    out.write(`Signed out: the key for ${gone?.url} is removed from this computer.\n`)
  },
}
