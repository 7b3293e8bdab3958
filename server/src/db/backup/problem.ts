/** Why there is no archive, or nothing was restored, in one plain sentence for the operator. */
export class ArchiveProblem extends Error {
  override name = 'ArchiveProblem'

  constructor(sentence: string) {
    // names and versions in it may be a stranger's
    super(sentence.replace(/\p{Cc}/gu, '?'))
  }
}

/** What the operating system says about a file, as a sentence that the operator can act on. */
export function fileProblem(path: string, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return new ArchiveProblem(`There is no ${path}.`)
    case 'EISDIR':
      return new ArchiveProblem(`${path} is a directory: name a file.`)
    case 'EACCES':
    case 'EPERM':
      return new ArchiveProblem(`${path} cannot be used by user id ${process.geteuid?.()}.`)
    case 'EROFS':
      return new ArchiveProblem(`${path} is on a read-only file system.`)
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new ArchiveProblem(`The disk that holds ${path} takes no more: make room, then begin again.`)
    case 'EIO':
      return new ArchiveProblem(`The disk that holds ${path} fails: look into the log of the kernel.`)
    default:
      return error
  }
}
