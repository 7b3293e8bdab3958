#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

process.setSourceMapsEnabled(true)
const { run } = createRequire(import.meta.url)(await program())
process.exitCode = await run(process.argv.slice(2))

/** A clone builds the program of its sources when these are newer; a package comes with it. */
async function program() {
  const building = new URL('../build.mjs', import.meta.url)
  if (!existsSync(building)) return '../dist/taskwright.cjs'
  const { builtProgram, Unbuildable } = await import(building.href)
  return builtProgram().catch((error) => {
    if (!(error instanceof Unbuildable)) throw error
    console.error(error.message)
    process.exit(1)
  })
}
