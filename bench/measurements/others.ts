import { newEntry, oneOf, page, sameEntry, tagPage } from '../requests.ts'
import { measured } from '../rounds.ts'
import { type Row, rates, times } from '../rows.ts'
import type { Bench } from './bench.ts'

/** One task, another one each time. */
export async function oneTask(bench: Bench): Promise<Row[]> {
  const { subjects, data, quick, rival } = bench
  const requests = oneOf(data.big.callers.owner, data.big.taskIds)
  const { taskwright, floor, typical } = subjects
  const family = {
    taskwright: { subject: taskwright, requests },
    floor: { subject: floor, requests },
    ...(quick ? {} : { typical: { subject: typical, requests } }),
    ...(quick ? {} : { member: { subject: taskwright, requests: oneOf(data.big.callers.all, data.big.taskIds) } }),
    ...rival?.cases('one'),
  }
  const found = await measured(family, bench)
  const what = 'one task: taskwright /'
  const samples = found.taskwright
  return [
    rates({ what: `${what} floor`, samples, against: found.floor, target: { least: 0.85 } }),
    ...(found.typical ? [rates({ what: `${what} typical`, samples, against: found.typical })] : []),
    ...(found.member
      ? [
          rates({
            ...{ what: 'one task: member of all 400 / owner', samples: found.member, against: samples },
            target: { least: 0.6 },
          }),
        ]
      : []),
    ...(rival?.rows('one task', found) ?? []),
  ]
}

/** Time entries that are written, and replayed. */
export async function entries(bench: Bench): Promise<Row[]> {
  const { subjects, data, quick, rival } = bench
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
  const found = await measured(family, bench)
  const what = 'POST time entry with a key: taskwright /'
  const samples = found.taskwright
  return [
    rates({ what: `${what} floor`, samples, against: found.floor, target: { least: 0.8 } }),
    ...(found.typical ? [rates({ what: `${what} typical`, samples, against: found.typical })] : []),
    rates({ what: 'replay of a POST / one task', samples: found.replay, against: found.one, target: { least: 0.4 } }),
    ...(rival?.rows('POST', found) ?? []),
  ]
}

/** A list with offsets and a total. */
export async function offsetList(bench: Bench): Promise<Row[]> {
  const { subjects, data, rival } = bench
  const requests = tagPage(data)
  const { taskwright, floor } = subjects
  const family = {
    taskwright: { subject: taskwright, requests },
    floor: { subject: floor, requests },
    ...rival?.cases('offsetList'),
  }
  const found = await measured(family, bench)
  const what = 'offset list of 10,000 with total: taskwright / floor'
  return [
    rates({ what, samples: found.taskwright, against: found.floor, target: { least: 0.7 } }),
    ...(rival?.rows('offset list', found) ?? []),
  ]
}

/** The same organization, byte for byte, beside all the others and beside a hundredth of them. */
export async function besideFew(bench: Bench): Promise<Row[]> {
  const { subjects, data, few } = bench
  if (few === undefined) return []
  const { taskwright } = subjects
  const family = {
    page: { subject: taskwright, requests: page(data.ordinary.owner) },
    pageBesideFew: { subject: few.taskwright, requests: page(few.data.ordinary.owner) },
    one: { subject: taskwright, requests: oneOf(data.ordinary.owner, data.ordinary.taskIds) },
    oneBesideFew: { subject: few.taskwright, requests: oneOf(few.data.ordinary.owner, few.data.ordinary.taskIds) },
  }
  const found = await measured(family, bench)
  const target = { most: 1.1 }
  const what = 'of 2,500 tasks, all the others / a hundredth of them, time'
  return [
    times({ what: `page, ${what}`, samples: found.page, against: found.pageBesideFew, target }),
    times({ what: `one task, ${what}`, samples: found.one, against: found.oneBesideFew, target }),
  ]
}
