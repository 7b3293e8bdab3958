import { constants } from 'node:os'

/** A signal that ended a program, with its usual cause: `signal SIGKILL (…)`. @param signal its name or number */
export function signalSentence(signal: string | number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? String(signal)
  const cause = causes[name]
  return `signal ${name}${cause === undefined ? '' : ` (${cause})`}`
}

const causes: Record<string, string> = {
  SIGBUS:
    'memory that the kernel promised is not there: look for reserved huge pages, a full /dev/shm, a limit of the container',
  SIGKILL: 'often the kernel, when memory runs out: give the machine or the container more',
  SIGSEGV: 'its programs or the memory of the machine may be damaged: install Taskwright again',
  SIGILL: 'its programs do not fit this processor: set DATABASE_URL to a PostgreSQL of your own',
  SIGSYS: 'a filter of system calls, as of a container, forbids what it needs',
}
