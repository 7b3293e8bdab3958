import { randomBytes } from 'node:crypto'
import { chmod, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathProblem, StartupProblem } from '../pool/startup-problem.ts'

/** The file of the key that seals secrets in an embedded database. It is beside the database, so that no dump has both. */
export const secretKeyFileIn = (dataDir: string): string => join(dataDir, 'secret-key')

/** Reads the existing key, which only its owner may read; undefined if there is none. */
export async function readSecretKey(path: string): Promise<string | undefined> {
  try {
    const key = (await readFile(path, 'utf8')).trim()
    if ((await stat(path)).mode & 0o077) await chmod(path, 0o600)
    if (/^[!-~]{32,}$/.test(key)) return key
    throw new StartupProblem(`${path} does not contain a key: restore its content, at least 32 visible characters.`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw pathProblem(path, error)
  }
}

/** Creates a key. Only the one server of the directory calls it. The key is on the disk before it seals anything. */
export async function makeSecretKey(path: string): Promise<string> {
  const key = randomBytes(32).toString('base64url')
  const fresh = `${path}.new`
  try {
    await rm(fresh, { force: true })
    const file = await open(fresh, 'wx', 0o600)
    await file.writeFile(`${key}\n`)
    await file.sync().finally(() => file.close())
    await rename(fresh, path)
    const folder = await open(join(path, '..'))
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    throw pathProblem(path, error)
  }
  return key
}
