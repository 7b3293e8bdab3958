import { newEntry, oneOf, page, sameEntry, tagPage } from '../requests.ts'
import { measured } from '../rounds.ts'
import { type Row, rates, times } from '../rows.ts'
import type { Bench } from './bench.ts'

/** One task, time entries that are written and replayed, an offset list. */
export async function others(bench: Bench): Promise<Row[]> {
  return [
    ...(await oneTask(bench)),
    ...(await entries(bench)),
    ...(await offsetList(bench)),
    ...(await besideFew(bench)),
  ]
}

async function oneTask({ subjects, data, quick, generator, pace, rival, say }: Bench): Promise<Row[]> {
  const requests = oneOf(data.big.callers.owner, data.big.taskIds)
  const { taskwright, floor, typical } = subjects
  const family = {
    taskwright: { subject: taskwright, requests },
    floor: { subject: floor, requests },
    ...(quick ? {} : { typical: { subject: typical, requests } }),
    ...rival?.cases('one'),
  }
  const found = await measured(family, generator, pace, say)
  const what = 'one task: taskwright /'
  const samples = found.taskwright
  return [
    rates({ what: `${what} floor`, samples, against: found.floor, target: { least: 0.85 } }),
    ...(found.typical ? [rates({ what: `${what} typical`, samples, against: found.typical })] : []),
    ...(rival?.rows('one task', found) ?? []),
  ]
}

async function entries({ subjects, data, quick, generator, pace, rival, say }: Bench): Promise<Row[]> {
  const requests = newEntry(data)
  const { taskwright, floor, typical } = subjects
  const replayed = sameEntry(data)
  for (const { path, ...options } of replayed) await fetch(taskwright.base + path, options)
  const family = {
    taskwright: { subject: taskwright, requests },
    floor: { subject: floor, requests },
    ...(quick ? {} : { typical: { subject: typical, requests } }),
    replay: { subject: taskwright, requests: replayed },
    one: { subject: taskwright, requests: oneOf(data.writing.owner, data.writing.taskIds) },
    ...rival?.cases('post'),
  }
  const found = await measured(family, generator, pace, say)
  const what = 'POST time entry with a key: taskwright /'
  const samples = found.taskwright
  return [
    rates({ what: `${what} floor`, samples, against: found.floor, target: { least: 0.8 } }),
    ...(found.typical ? [rates({ what: `${what} typical`, samples, against: found.typical })] : []),
    rates({ what: 'replay of a POST / one task', samples: found.replay, against: found.one, target: { least: 0.8 } }),
    ...(rival?.rows('POST', found) ?? []),
  ]
}

async function offsetList({ subjects, data, generator, pace, rival, say }: Bench): Promise<Row[]> {
  const requests = tagPage(data)
  const { taskwright, floor } = subjects
  const family = {
    taskwright: { subject: taskwright, requests },
    floor: { subject: floor, requests },
    ...rival?.cases('offsetList'),
  }
  const found = await measured(family, generator, pace, say)
  const what = 'offset list of 10,000 with total: taskwright / floor'
  return [
    rates({ what, samples: found.taskwright, against: found.floor, target: { least: 0.7 } }),
    ...(rival?.rows('offset list', found) ?? []),
  ]
}

/** The same organization, byte for byte, beside all the others and beside a hundredth of them. */
async function besideFew({ subjects, data, few, generator, pace, say }: Bench): Promise<Row[]> {
  if (few === undefined) return []
  const { taskwright } = subjects
  const family = {
    page: { subject: taskwright, requests: page(data.ordinary.owner) },
    pageBesideFew: { subject: few.taskwright, requests: page(few.data.ordinary.owner) },
    one: { subject: taskwright, requests: oneOf(data.ordinary.owner, data.ordinary.taskIds) },
    oneBesideFew: { subject: few.taskwright, requests: oneOf(few.data.ordinary.owner, few.data.ordinary.taskIds) },
  }
  const found = await measured(family, generator, pace, say)
  const target = { most: 1.1 }
  const what = 'of 2,500 tasks, all the others / a hundredth of them, time'
  return [
    times({ what: `page, ${what}`, samples: found.page, against: found.pageBesideFew, target }),
    times({ what: `one task, ${what}`, samples: found.one, against: found.oneBesideFew, target }),
  ]
}
