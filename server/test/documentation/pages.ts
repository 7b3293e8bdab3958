import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the package.json of the whole is; ends in a slash. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A block between two lines of three backticks. */
export interface Fence {
  page: string
  line: number
  language: string
  text: string
}

/** The README, then every page of docs/, by name, then the other pages beside the README. */
export const pages = [
  'README.md',
  ...markdownIn('docs'),
  ...markdownIn('.').filter((name) => name !== 'README.md'),
].map(read)

/** They tell of the past: their commands are not run, and files that they name may be gone. */
export const decisions = markdownIn('docs/decisions').map(read)

/** Every fence of every page, in the order of reading; what is in TypeScript on one page is one program, where it begins. */
export const runs = (): Fence[] => {
  const programs = new Map<string, Fence>()
  return fences.flatMap((fence) => {
    if (fence.language !== 'ts') return [fence]
    const begun = programs.get(fence.page)
    if (begun) begun.text += fence.text
    else programs.set(fence.page, { ...fence })
    return begun ? [] : (programs.get(fence.page) ?? [])
  })
}

/** Every fence of every page, in the order of reading. */
export const fences: Fence[] = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^ *```(.*)\n([\s\S]*?)^ *```$/gm)].map(({ 1: language = '', 2: inside = '', index }) => ({
    page: name,
    line: text.slice(0, index).split('\n').length,
    language,
    text: inside,
  })),
)

/** What a person types into a terminal, and what is to appear there. */
export interface Session {
  script: string
  /** in this order, `…` for anything */
  shown: string[]
  /** whether nothing else may appear */
  whole: boolean
}

/**
 * How to run a fence. In `sh` the comments that fill a line show what the commands above them answer; in `console` the
 * commands follow a `$`, and all else is what they print. A program in `ts` is compiled and run beside the sources of the
 * client, and comments that begin with an arrow show what it prints. Others are not run: `text`, and pictures in `mermaid`.
 */
export const sessions: Record<string, (text: string) => Session> = {
  sh: (text) => ({
    script: text,
    shown: [...text.matchAll(/(?:^#.*\n)+/gm)].map(([comment]) => comment.replace(/^# ?/gm, '')),
    whole: false,
  }),
  console: (text) => ({
    script: text.replace(/^(?!\$ ).*\n/gm, '').replace(/^\$ /gm, ''),
    shown: [text.replace(/^\$ .*\n/gm, '')],
    whole: true,
  }),
  ts: (text) => ({
    script: [
      `cat > program.ts <<'END-OF-PROGRAM'\n${text}END-OF-PROGRAM`,
      `echo '${JSON.stringify(settingsOfPrograms)}' > program.json`,
      'node node_modules/typescript/bin/tsc -p program.json --pretty false',
      'TSX_TSCONFIG_PATH=program.json node --import tsx program.ts',
      '',
    ].join('\n'),
    shown: [...text.matchAll(/^\/\/ → (.*)$/gm)].map(([, line = '']) => line),
    whole: false,
  }),
}

const settingsOfPrograms = {
  extends: './tsconfig.json',
  compilerOptions: { paths: { '@taskwright/client': ['./client/src/index.ts'] } },
  include: ['program.ts'],
}

/** Whether the output holds what is shown; where a shown line ends, any white space may stand. */
export function appears({ shown, whole }: Session, output: string): boolean {
  const pattern = shown.map((text) =>
    text
      .trim()
      .split(/\s*\n\s*|\s*(…)\s*/)
      .map((part) => (part === '…' ? '[\\s\\S]*?' : part === undefined ? '\\s*' : literally(part)))
      .join(''),
  )
  const body = pattern.join('[\\s\\S]*?')
  return new RegExp(whole ? `^\\s*${body}\\s*$` : body).test(output)
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function markdownIn(folder: string): string[] {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name))
    .sort()
}

function read(name: string) {
  const text = readFileSync(root + name, 'utf8')
  return { name, text: name === 'CHANGELOG.md' ? withoutReleases(text) : text }
}

/** The released sections of the changelog stay as they are. Files and headings that they link to may be gone. */
function withoutReleases(text: string): string {
  return text.split(/^## \[[\d.]+\] - \d{4}-/m)[0] ?? text
}
