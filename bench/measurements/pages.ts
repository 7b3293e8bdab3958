import type { Sent } from '../generators/volley.ts'
import { askedWords } from '../load/words.ts'
import { page, pageBefore } from '../requests.ts'
import { type Case, measured } from '../rounds.ts'
import { type Row, rates, slowest, times } from '../rows.ts'
import type { Bench } from './bench.ts'

/** A page of 50 tasks of the big organization, the same again and again, beside others that answer it. */
export async function besideOthers(bench: Bench): Promise<Row[]> {
  const { subjects, data, rival } = bench
  const requests = page(data.big.callers.owner)
  const { taskwright, bare, floor, typical } = subjects
  const family = {
    taskwright: { subject: taskwright, requests },
    floor: { subject: floor, requests },
    typical: { subject: typical, requests },
    bare: { subject: bare, requests },
    ...rival?.cases('page'),
  }
  const found = await measured(family, bench)
  const compared = (other: 'floor' | 'typical' | 'bare') => ({
    what: `page of 50 tasks: taskwright / ${other}`,
    samples: found.taskwright,
    against: found[other],
  })
  return [
    rates({ ...compared('floor'), target: { least: 1.8 } }),
    rates({ ...compared('typical'), target: { least: 4.5 } }),
    rates(compared('bare')),
    ...(rival?.rows('page of 50 tasks', found) ?? []),
  ]
}

/** Pages of 50 tasks that begin anywhere, another one each time. */
export async function randomPlaces(bench: Bench): Promise<Row[]> {
  const { subjects, data, places } = bench
  const { owner } = data.big.callers
  const family = {
    taskwright: { subject: subjects.taskwright, requests: places.flatMap(({ cursor }) => page(owner, { cursor })) },
    bare: { subject: subjects.bare, requests: places.map(({ idBefore }) => pageBefore(owner, idBefore)) },
  }
  const found = await measured(family, bench)
  const what = `page of 50 tasks at ${places.length} random places: taskwright / bare`
  return [rates({ what, samples: found.taskwright, against: found.bare, target: { least: 1.8 } })]
}

/** Beside the owner's first page: the members' pages, and a deep one of the owner. */
export async function besideFirst(bench: Bench): Promise<Row[]> {
  const { subjects, data, quick, deepCursor, depth } = bench
  const { owner, all, twoHundred, twenty, one } = data.big.callers
  const by = (requests: readonly Sent[]): Case => ({ subject: subjects.taskwright, requests })
  const members = {
    'of all 400': by(page(all)),
    ...(quick ? {} : { 'of 200': by(page(twoHundred)) }),
    'of 20': by(page(twenty)),
    ...(quick ? {} : { 'of one small, old': by(page(one)) }),
  }
  const family = { owner: by(page(owner)), deep: by(page(owner, { cursor: deepCursor })), ...members }
  const { owner: against, deep, ...found } = await measured(family, bench)
  const what = `page at depth ${depth.toLocaleString('en-US')} / first page, time`
  return [
    ...Object.entries(found).map(([member, samples]) =>
      rates({ what: `page of 50 tasks: member ${member} / owner`, samples, against, target: { least: 0.5 } }),
    ),
    times({ what, samples: deep, against, target: { most: 1.1 } }),
  ]
}

/** Pages of 50 tasks that match a filter, the slowest of them. */
export async function filtered(bench: Bench): Promise<Row[]> {
  const { subjects, data } = bench
  const { callers, filters } = data.big
  const { projectId, stageId, assigneeId, commonTagId, secondTagId, rareTagId } = filters
  const wanted = {
    project: { projectId },
    stage: { stageId },
    assignee: { assigneeId },
    'tag, common': { tagId: commonTagId },
    'tag, rare': { tagId: rareTagId },
    'two tags': { tagId: [commonTagId, secondTagId] },
    'q, seldom word': { q: askedWords.seldom.word },
    'q, common word': { q: askedWords.common.word },
    'project, stage and assignee': { projectId, stageId, assigneeId },
  }
  const by = (filter: Record<string, string | string[]>): Case => ({
    subject: subjects.taskwright,
    requests: page(callers.owner, filter),
  })
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  const cases = Object.fromEntries(names.map((name) => [name, by(wanted[name])])) as Record<keyof typeof wanted, Case>
  const found = await measured({ unfiltered: by({}), ...cases }, bench)
  return names.map((name) =>
    slowest({
      what: `filter by ${name} / unfiltered, p99`,
      samples: found[name],
      against: found.unfiltered,
      target: { most: 3 },
    }),
  )
}

/** Two filters at once, for the owner. */
export async function severalFilters(bench: Bench): Promise<Row[]> {
  const { callers, filters } = bench.data.big
  const { projectId, assigneeId, commonTagId, secondTagId } = filters
  const asked = {
    'two tags': { tagId: [commonTagId, secondTagId] },
    'tag and assignee': { tagId: commonTagId, assigneeId },
    'project and a word': { projectId, q: askedWords.common.word },
  }
  const subject = bench.subjects.taskwright
  const cases = Object.entries({ '': {}, ...asked }).map(([name, query]): [string, Case] => [
    name,
    { subject, requests: page(callers.owner, query) },
  ])
  const found = await measured(Object.fromEntries(cases), bench)
  const { '': against = [], ...filtered } = found
  return Object.entries(filtered).map(([name, samples]) =>
    rates({ what: `filter by ${name} / unfiltered`, samples, against, target: { least: 0.5 } }),
  )
}
