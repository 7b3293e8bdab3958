#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

// Node 22 keeps what it has compiled
module.enableCompileCache?.()
const { runHere } = await import(await program())
process.exitCode = await runHere()

/** A clone builds the program of its sources when these are newer; a package comes with it. */
async function program() {
  const building = new URL('../build.mjs', import.meta.url)
  if (!existsSync(building)) return new URL('../dist/tw.js', import.meta.url).href
  return (await import(building.href)).builtProgram()
}
