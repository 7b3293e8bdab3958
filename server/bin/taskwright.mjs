#!/usr/bin/env node
import { pathToFileURL } from 'node:url'
import { builtProgram, Unbuildable } from '../build.mjs'

process.setSourceMapsEnabled(true)
const program = await builtProgram().catch((error) => {
  if (!(error instanceof Unbuildable)) throw error
  console.error(error.message)
  process.exit(1)
})
const { run } = await import(pathToFileURL(program).href)
process.exitCode = await run(process.argv.slice(2))
