import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './install.mjs'

// the linters need more packages than the server with all its tests, so they are installed separately, on demand
const folder = 'scripts/lint-openapi'
ensureInstalled({ folder })

const document = 'server/openapi.json'
const linters = {
  Redocly: ['@redocly/cli/bin/cli.js', 'lint', '--config', `${folder}/redocly.yaml`, document],
  Spectral: [
    '@stoplight/spectral-cli/dist/index.js',
    'lint',
    '--ruleset',
    `${folder}/spectral.yaml`,
    '--fail-severity',
    'hint',
    document,
  ],
}
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

for (const [name, [program, ...words]] of Object.entries(linters)) {
  const { status } = spawnSync(process.execPath, [`${folder}/node_modules/${program}`, ...words], {
    stdio: 'inherit',
    env,
  })
  if (status === 0) continue
  process.stderr.write(`${name} found something in ${document}: see above.\n`)
  process.exitCode = 1
}
