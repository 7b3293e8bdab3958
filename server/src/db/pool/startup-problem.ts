/** The reason why the server cannot start, in one plain sentence for the operator. */
export class StartupProblem extends Error {
  override name = 'StartupProblem'
}

/** Turns an error about a path into a sentence that tells the operator what to do. */
export function pathProblem(wanted: string, error: unknown): StartupProblem {
  if (error instanceof StartupProblem) return error
  const { code, message, path = wanted } = error as NodeJS.ErrnoException
  const remedy = 'set DATA_DIR to another directory'
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return new StartupProblem(
        `${path} cannot be used by user id ${process.geteuid?.()}: change its owner, or ${remedy}.`,
      )
    case 'EROFS':
      return new StartupProblem(`${path} is on a read-only file system: ${remedy}.`)
    case 'EIO':
      return new StartupProblem(`The disk that holds ${path} fails (${message}): see the kernel log.`)
    case 'EEXIST':
    case 'ENOTDIR':
      return new StartupProblem(`${path} is, or leads through, a file: ${remedy}.`)
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartupProblem(`The disk that holds ${path} is full: free some space, then start again.`)
    default:
      return new StartupProblem(`${path} cannot be used (${message}): ${remedy}.`)
  }
}
