import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { NotSignedIn } from '../problems.ts'
import type { Terminal } from '../terminal.ts'

/** A server and a key. */
interface Profile {
  url: string
  key: string
}

/** The stored profiles. */
interface Profiles {
  /** the name of the default profile */
  current: string
  byName: Record<string, Profile>
}

type Env = Terminal['env']

/** tw's folder in an XDG directory. @see XDG Base Directory Specification: relative paths are ignored */
export function folderOf(env: Env, variable: 'XDG_CONFIG_HOME' | 'XDG_CACHE_HOME', usual: string): string {
  const given = env[variable]
  return join(given && isAbsolute(given) ? given : join(env.HOME || homedir(), usual), 'taskwright')
}

export const profilesFile = (env: Env) => join(folderOf(env, 'XDG_CONFIG_HOME', '.config'), 'profiles.json')

/** Reads the profiles; none if there is no file. */
export async function readProfiles(env: Env): Promise<Profiles> {
  const file = profilesFile(env)
  const none: Profiles = { current: 'default', byName: {} }
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return none
  try {
    const { current, byName } = JSON.parse(text)
    return { current: String(current ?? none.current), byName: { ...byName } }
  } catch {
    throw new NotSignedIn(`${file} is damaged. Delete it and sign in again.`)
  }
}

/** Writes the profiles to a file that only the user can read. A concurrent reader gets the old or the new file. */
export async function writeProfiles(env: Env, profiles: Profiles): Promise<void> {
  const file = profilesFile(env)
  const folder = join(file, '..')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const written = `${file}.${process.pid}`
  await writeFile(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  await rename(written, file)
}
