/** The reason why a backup or a restore failed, in one plain sentence for the operator. */
export class ArchiveProblem extends Error {
  override name = 'ArchiveProblem'

  constructor(sentence: string) {
    // the sentence may quote names and versions from an archive of a stranger
    super(sentence.replace(/\p{Cc}/gu, '?'))
  }
}

/** Turns an error about a file into a sentence that tells the operator what to do. */
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
      return new ArchiveProblem(`The disk that holds ${path} is full: free some space, then try again.`)
    case 'EIO':
      return new ArchiveProblem(`The disk that holds ${path} fails: see the kernel log.`)
    default:
      return error
  }
}
