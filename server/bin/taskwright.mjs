#!/usr/bin/env node
import { pathToFileURL } from 'node:url'
import { builtProgram } from '../build.mjs'

process.setSourceMapsEnabled(true)
const { run } = await import(pathToFileURL(await builtProgram()).href)
process.exitCode = await run(process.argv.slice(2))
