import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The part of a software bill of materials that is used here. @see CycloneDX 1.5 */
interface Sbom {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

interface Component {
  'bom-ref': string
  type: string
  name: string
  version: string
}

/**
 * The SBOM of a package from the lock file, for every platform: its direct and indirect libraries, without development
 * packages.
 * @param root the folder of the lock file
 * @param folder the package's folder below it
 */
export function sbomOf(root: string, folder: string): Sbom {
  const { name, version, description, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  // --omit=dev would also omit packages that development uses too, such as zod; packages have no development libraries
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', `--workspace=${name}`]
  const document: Sbom = JSON.parse(
    execFileSync('npm', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  // npm describes the whole repository
  const [whole, own] = [document.metadata.component['bom-ref'], `${name}@${version}`]
  const purl = `pkg:npm/${own.replace(/^@/, '%40')}`
  const licenses = [{ license: { id: license } }]
  const component = { 'bom-ref': own, type: 'application', name, version, description, purl, licenses }
  return {
    ...document,
    metadata: { ...document.metadata, component },
    components: document.components.filter((other) => other['bom-ref'] !== own),
    dependencies: document.dependencies.filter(({ ref }) => ref !== whole),
  }
}
