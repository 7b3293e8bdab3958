import type { Sent } from '../generators/generator.ts'
import { page } from '../requests.ts'
import { type Case, measured } from '../rounds.ts'
import { type Row, rates, slowest, times } from '../rows.ts'
import type { Bench } from './bench.ts'

/** Pages of 50 tasks of the big organization: beside the floor, as members, deep, filtered. */
export async function pages(bench: Bench): Promise<Row[]> {
  return [...(await besideOthers(bench)), ...(await besideFirst(bench)), ...(bench.quick ? [] : await filtered(bench))]
}

async function besideOthers({ subjects, data, generator, pace, rival, say }: Bench): Promise<Row[]> {
  const requests = page(data.big.callers.owner)
  const { taskwright, floor, typical } = subjects
  const family = {
    taskwright: { subject: taskwright, requests },
    floor: { subject: floor, requests },
    typical: { subject: typical, requests },
    ...rival?.cases('page'),
  }
  const found = await measured(family, generator, pace, say)
  const compared = (other: 'floor' | 'typical') => ({
    what: `page of 50 tasks: taskwright / ${other}`,
    samples: found.taskwright,
    against: found[other],
  })
  return [
    rates({ ...compared('floor'), target: { least: 1.8 } }),
    rates({ ...compared('typical'), target: { least: 4.5 } }),
    ...(rival?.rows('page of 50 tasks', found) ?? []),
  ]
}

/** Beside the owner's first page: the members' pages, and a deep one of the owner. */
async function besideFirst({ subjects, data, generator, pace, deepCursor, depth, say }: Bench): Promise<Row[]> {
  const { owner, all, twenty, one } = data.big.callers
  const by = (requests: readonly Sent[]): Case => ({ subject: subjects.taskwright, requests })
  const family = {
    owner: by(page(owner)),
    'of all 400': by(page(all)),
    'of 20': by(page(twenty)),
    'of one small, old': by(page(one)),
    deep: by(page(owner, { cursor: deepCursor })),
  }
  const found = await measured(family, generator, pace, say)
  const against = found.owner
  const members = (['of all 400', 'of 20', 'of one small, old'] as const).map((member) =>
    rates({
      what: `page of 50 tasks: member ${member} / owner`,
      samples: found[member],
      against,
      target: { least: 0.5 },
    }),
  )
  const what = `page at depth ${depth.toLocaleString('en-US')} / first page, time`
  return [...members, times({ what, samples: found.deep, against, target: { most: 1.1 } })]
}

async function filtered({ subjects, data, generator, pace, say }: Bench): Promise<Row[]> {
  const { callers, filters } = data.big
  const { projectId, stageId, assigneeId, commonTagId, secondTagId, rareTagId } = filters
  const wanted = {
    project: { projectId },
    stage: { stageId },
    assignee: { assigneeId },
    'tag, common': { tagId: commonTagId },
    'tag, rare': { tagId: rareTagId },
    'two tags': { tagId: [commonTagId, secondTagId] },
    'q, seldom word': { q: 'quartz' },
    'q, common word': { q: 'review' },
    'project, stage and assignee': { projectId, stageId, assigneeId },
  }
  const by = (filter: Record<string, string | string[]>): Case => ({
    subject: subjects.taskwright,
    requests: page(callers.owner, filter),
  })
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  const cases = Object.fromEntries(names.map((name) => [name, by(wanted[name])])) as Record<keyof typeof wanted, Case>
  const found = await measured({ unfiltered: by({}), ...cases }, generator, pace, say)
  return names.map((name) =>
    slowest({
      what: `filter by ${name} / unfiltered, p99`,
      samples: found[name],
      against: found.unfiltered,
      target: { most: 3 },
    }),
  )
}
