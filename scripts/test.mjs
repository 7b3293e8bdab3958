import { ensureInstalled } from './install.mjs'

ensureInstalled()
const { register } = await import('tsx/esm/api')
register()
const { runTests } = await import('../server/test/run.ts')
process.exitCode = await runTests(process.argv.slice(2))
