import { readFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { findSourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[]
}

/** Which files of server/src have a function that runs while something happens in this process, by their paths below it. */
export async function filesPassed(happening: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // what ran until now is counted no more
  await session.post('Profiler.takePreciseCoverage')
  await happening()
  const { result } = (await session.post('Profiler.takePreciseCoverage')) as unknown as Coverage
  session.disconnect()
  const passed = new Set<string>()
  for (const { url, functions } of result.filter(({ url }) => url.startsWith('file:'))) {
    const path = fileURLToPath(url)
    const map = findSourceMap(path)
    if (map === undefined) continue
    const text = await readFile(path, 'utf8')
    for (const [range] of functions.map(({ ranges }) => ranges)) {
      if (range === undefined || range.count === 0) continue
      const before = text.slice(0, range.startOffset).split('\n')
      const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0)
      const file = /\/server\/src\/([\w/-]+\.ts)$/.exec('originalSource' in entry ? entry.originalSource : '')?.[1]
      if (file !== undefined) passed.add(file)
    }
  }
  return [...passed].toSorted()
}
