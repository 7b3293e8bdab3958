/** The processor time that something asynchronous takes in this process, in microseconds. */
export async function processorUs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
