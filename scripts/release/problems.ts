import { type Migration, rollingUpgradeOf } from '../../server/src/for-tools.ts'
import { mayBreak } from '../compatibility/breaks.ts'
import { toldOf } from './changelog.ts'

/** The latest release, as in released.json. */
export interface LastRelease {
  version: string
  /** the commit of its sources */
  commit: string
}

/** The input of a release. */
export interface Plan {
  version: string
  last: LastRelease
  /** the output of git status; empty if all is committed */
  uncommitted: string
  changelog: string
  /** the changelog of the last release; undefined if its commit is not in the clone */
  changelogBefore: string | undefined
  /** the migrations since the last release */
  migrations: readonly Pick<Migration, 'name' | 'script'>[]
  /** the breaking changes of the document, one sentence each */
  breaks: readonly string[]
  /** generated files that are out of date, and files with another version */
  stale: readonly string[]
  /** whether a tag of this version exists */
  tagged: boolean
}

/** The problems that prevent a release, one sentence each. */
export function problemsOf(plan: Plan): string[] {
  const { version, last, uncommitted, tagged, changelogBefore } = plan
  return [
    ...(isNewer(version, last.version)
      ? []
      : [
          `${last.version} is out, and package.json has ${version}: begin another with npm run release -- --next x.y.z.`,
        ]),
    ...(tagged ? [`There is a tag v${version} already.`] : []),
    ...(uncommitted === '' ? [] : [`What is not committed is not released: commit or remove\n${uncommitted}`]),
    ...(changelogBefore === undefined
      ? [`This clone does not hold ${last.version} (commit ${last.commit}): git fetch --unshallow --tags.`]
      : []),
    ...changelogProblems(plan),
    ...plan.migrations
      .filter((migration) => rollingUpgradeOf(migration)?.version !== last.version)
      .map(({ name }) => `${name} does not state whether ${last.version} can run beside it.`),
    ...(mayBreak(last.version, version)
      ? []
      : plan.breaks.map((sentence) => `Clients of ${last.version}: ${sentence}.`)),
    ...plan.stale,
  ]
}

function changelogProblems({ version, last, changelog, changelogBefore, breaks }: Plan): string[] {
  const told = toldOf(changelog, version)
  const changes = /^### (Changed|Removed)$/m.test(told)
  const items = (text: string) => toldOf(text, last.version).replace(/^[\s\S]*?(?=^### )/m, '')
  return [
    ...(/^## \[([^\]]*)\] - unreleased$/m.exec(changelog)?.[1] === version
      ? []
      : [`CHANGELOG.md has no "## [${version}] - unreleased".`]),
    ...(/^- /m.test(told) ? [] : [`CHANGELOG.md tells nothing of ${version}.`]),
    ...(breaks.length === 0 || changes
      ? []
      : [
          `${version} breaks clients of ${last.version} (${breaks.length} ways, see npm run check): CHANGELOG.md needs a "### Changed" that says so.`,
        ]),
    ...(changelogBefore === undefined || items(changelog) === items(changelogBefore)
      ? []
      : [
          `CHANGELOG.md does not tell of ${last.version} what it told when that came out: move what is new to ${version}.`,
        ]),
  ]
}

/** Compares versions by number. @see Semantic Versioning 2.0.0, §11 */
function isNewer(version: string, than: string): boolean {
  const [numbers, others] = [version, than].map((it) => it.split('.').map(Number)) as [number[], number[]]
  const at = numbers.findIndex((number, place) => number !== others[place])
  return at >= 0 && (numbers[at] ?? 0) > (others[at] ?? 0)
}
