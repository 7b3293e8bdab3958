import { mkdirSync } from 'node:fs'
import { ensureInstalled } from './install.mjs'
import { folder, pack } from './packages/pack.mjs'

// Creates the packages for publishing, in packed/.
ensureInstalled()
mkdirSync(folder, { recursive: true })
for (const { file, packedBytes, unpackedBytes, files } of pack(folder)) {
  process.stdout.write(
    `${file}: ${kilobytes(packedBytes)} packed, ${kilobytes(unpackedBytes)} unpacked, ${files} files\n`,
  )
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1_000)} kB`
}
