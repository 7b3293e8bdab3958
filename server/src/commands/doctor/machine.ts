import { type CheckResult, ok, warning, wrong } from './finding.ts'

/** The oldest supported release of Node, as in package.json. */
const oldest = [20, 19] as const
// the month in which each long-term release stops getting updates
const longTerm: Record<number, string> = { 22: '2027-04', 24: '2028-04' }

/** Checks that this version of Node is supported, and will be for a while. @param version such as 24.21.0 */
export function checkNode(version: string, today = new Date()): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    return wrong('node', `Node ${version} is too old: ${oldest.join('.')} or newer is needed`)
  const end = longTerm[major]
  if (end !== undefined && today.toISOString() < end)
    return ok('node', `Node ${version}, a long-term release until ${end}`)
  if (major > 24) return warning('node', `Node ${version} is not tested: 24 is the long-term release`)
  return warning('node', `Node ${version} gets no security updates any more: use 24`)
}

const gigabyte = 1_000_000_000

/** Checks the free space of a disk. @param bytes `free` for this account, and `all` of the disk */
export function checkDisk(path: string, { free, all }: { free: number; all: number }): CheckResult {
  const room = `${(free / gigabyte).toFixed(1)} of ${(all / gigabyte).toFixed(1)} GB are free where ${path} is`
  if (free < gigabyte / 4) return wrong('disk', `${room}: free some space now, or every write will fail`)
  if (free < 2 * gigabyte || free < all / 20) return warning('disk', `${room}: make room`)
  return ok('disk', room)
}

/** Compares the clocks of this machine and the database. @param aheadMs how far the clock of the database is ahead */
export function checkClock(aheadMs: number): CheckResult {
  const apart = Math.abs(aheadMs)
  const said = `the database's is ${(apart / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`
  if (apart > 60_000) return wrong('clock', `${said}: synchronize both (chrony, systemd-timesyncd)`)
  if (apart > 2_000) return warning('clock', `${said}: synchronize both (chrony, systemd-timesyncd)`)
  return ok('clock', 'the database and this machine have the same time')
}
