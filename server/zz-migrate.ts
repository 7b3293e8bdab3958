import { readFileSync } from 'node:fs'
import { migrate } from './src/for-tools.ts'
const url = readFileSync('/tmp/words/url', 'utf8')
const t = performance.now()
console.log(await migrate({ connectionString: url }, undefined, { say: console.log } as never), Math.round(performance.now() - t), process.cpuUsage())
