/** Sets the version of a package.json, also for references to the other packages. */
export function withVersion(manifest: string, version: string): string {
  return manifest
    .replace(/("version": )"[^"]*"/, (_, key) => `${key}"${version}"`)
    .replace(/("@taskwright\/[\w-]+": )"\d[^"]*"/g, (_, key) => `${key}"${version}"`)
}

/** Sets the version in the lock file for the root and the packages in these folders. */
export function withVersions(lock: string, folders: readonly string[], version: string): string {
  const { packages, ...rest } = JSON.parse(lock) as { packages: Record<string, object> }
  const changed = Object.entries(packages).map(([place, entry]) => {
    if (place !== '' && !folders.includes(place)) return [place, entry]
    const { name, ...others } = entry as { name?: string }
    return [place, JSON.parse(withVersion(JSON.stringify({ name, version, ...others }, null, 1), version))]
  })
  return `${JSON.stringify({ ...rest, version, packages: Object.fromEntries(changed) }, null, 2)}\n`
}
