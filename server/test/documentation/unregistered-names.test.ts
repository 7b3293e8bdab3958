import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { root } from './pages.ts'

const { packages }: { packages: Record<string, { resolved?: string; link?: boolean }> } = JSON.parse(
  readFileSync(`${root}package-lock.json`, 'utf8'),
)
// such as are asked for by name, and are what they were when the lock file was made
const registered = Object.entries(packages)
  .filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
  .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))

const asking = [
  // what runs a name that it does not find here
  /\b(?:npx|npm (?:exec|x)|pnpm (?:dlx|exec)|yarn dlx|bunx|npm create|npm init)((?:[ \t]+-\S+)*[ \t]+[^\s`'"]+)/g,
  /\b(?:npm (?:install|i|add)|pnpm add|yarn add|bun add|deno add)((?:[ \t]+[^\s`'"#]+)+)/g,
  // an image of a short name is looked for in registries that give names away, but for those that their keepers make
  /(?:^\s*image:|^\s*FROM|\b(?:docker|podman) (?:pull|run)(?:[ \t]+-\S+)*)([ \t]+["']?[\w./:@-]+)/gm,
  /"command": "npx", "args": \[(.*?)\]/g,
]

test('no page tells people to run or install a name that a stranger could claim', () => {
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((name) => /\.(md|ts|mjs|js|html|ya?ml|json|service)$|(Containerfile|run)$/.test(name))
    .filter((name) => !/^docs\/decisions\/|package-lock\.json$|unregistered-names|words\//.test(name))
  assert.ok(files.length > 500)
  const found = files.flatMap((name) =>
    strangersNames(readFileSync(root + name, 'utf8')).map((word) => `${name}: ${word}`),
  )
  assert.deepEqual(found, [])
})

test('a name that a stranger could claim is found in every form of installing it', () => {
  const asked = {
    'npx taskwright serve': ['taskwright'],
    'npx --yes tw login': ['tw'],
    '`npm install taskwright @taskwright/client`': ['taskwright', '@taskwright/client'],
    'npm i -g @taskwright/cli': ['@taskwright/cli'],
    'npm exec taskwright': ['taskwright'],
    'image: taskwright:0.1.0': ['taskwright:0.1.0'],
    'FROM taskwright/server': ['taskwright/server'],
    '"command": "npx", "args": ["tw", "mcp"]': ['tw', 'mcp'],
    'npm install ./taskwright-*.tgz ~/packed/taskwright-cli-0.1.0.tgz': [],
    'npm install --global ./packed/taskwright-cli-*.tgz': [],
    'npm install zod': [],
    'image: localhost/taskwright:latest': [],
    'image: postgres:18': [],
    'FROM node:24-bookworm-slim': [],
    'FROM node/taskwright': ['node/taskwright'],
    '<code>npx taskwright</code> or <code>npm install zod</code>': ['taskwright'],
  }
  for (const [text, names] of Object.entries(asked)) assert.deepEqual(strangersNames(text), names, text)
})

/** What is asked for by name that is not ours to name. */
function strangersNames(text: string): string[] {
  return asking.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([whole, words = '']) => {
      const names = words
        .split(/[\s,]+/)
        .map((word) => word.replace(/<.*$/, '').replace(/^["'`]|["'`.,:;)]+$/g, ''))
        .filter((word) => word !== '' && !word.startsWith('-'))
      const runs = /^\s*(npx|npm (exec|x|create|init)|pnpm|yarn dlx|bunx)/.test(whole)
      return (runs ? names.slice(0, 1) : names).filter((name) => mayBeStrangers(name))
    }),
  )
}

const mayBeStrangers = (name: string) =>
  /^@?[a-z]/.test(name) &&
  !/\.tgz$/.test(name) &&
  !/^(localhost\/|(node|postgres):\d|scratch$)/.test(name) &&
  !registered.includes(name) &&
  // of the OpenTelemetry project, installed beside the server
  name !== '@opentelemetry/auto-instrumentations-node'
