/**
 * The changelog with the version released.
 * @throws Error if its first version is another one, or already released
 */
export function released(changelog: string, version: string, now: Date): string {
  const heading = `## [${version}] - unreleased\n`
  if (!changelog.slice(changelog.indexOf('\n## ')).startsWith(`\n${heading}`))
    throw new Error(
      `CHANGELOG.md does not begin with "${heading.trim()}": ${version} is out already, or nothing is told of it.`,
    )
  return changelog.replace(heading, `## [${version}] - ${now.toISOString().slice(0, 10)}\n`)
}

/**
 * The changelog with an empty section for a new version. If the current version is not released, its section gets the new
 * version.
 */
export function begun(changelog: string, version: string): string {
  const unreleased = /^## \[[^\]]*\] - unreleased$/m
  const heading = `## [${version}] - unreleased`
  if (unreleased.test(changelog)) return changelog.replace(unreleased, heading)
  return changelog.replace('\n## ', `\n${heading}\n\n## `)
}

/** The section of a version, without its heading. */
export function toldOf(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? ''
  return section.replace(/^.*\n/, '').trim()
}
