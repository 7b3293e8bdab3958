import { ensureInstalled } from '../scripts/install.mjs'

ensureInstalled()
const { register } = await import('tsx/esm/api')
register()
const { main } = await import('./main.ts')
process.exit(await main(process.argv.slice(2)))
