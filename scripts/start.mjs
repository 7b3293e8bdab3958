// No static imports: an old Node must be able to reach the error message.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Taskwright needs Node 20.19 or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org.`,
  )
  process.exit(1)
}
void start()

async function start() {
  const { ensureInstalled } = await import('./install.mjs')
  ensureInstalled({ development: false })
  await import('../server/bin/taskwright.mjs')
}
