import type { Random } from './random.ts'
import { type Discipline, speech } from './words/disciplines.ts'

const reasons = [
  'The client asked for this in the last status call.',
  'Part of what was promised for the next milestone.',
  'Came up in the weekly; small, but it keeps coming back.',
  'Needed before the next review, so that we have something to show.',
  'Follows from the workshop; see the photos of the wall.',
  'The old version stays until this one is approved.',
  'We estimated this without knowing the details: speak up early if it grows.',
  'Support gets a question about this every week.',
  'Blocks two other tasks, please do not let it lie.',
  'A leftover of the last release.',
  'The numbers of last month show that it matters more than we thought.',
  'Comes from the audit report, finding by finding.',
]

const details = [
  'Reuse what we have before making anything new.',
  'Keep the first version small; the rest can follow.',
  'The client sends the missing material by the end of the week.',
  'Please ask before changing anything that is already live.',
  'There is a draft in the shared folder, take what is useful.',
  'Two open questions are marked in the document.',
  'The budget is tight: stop and tell us when the estimate is used up.',
  'Somebody who was not involved should have a look at the end.',
]

/** What a task is about, in Markdown. */
export function taskText(random: Random, discipline: Discipline): string {
  const { aims } = speech[discipline]
  const opening = random.chance(0.6) ? `${random.pick(reasons)} ${random.pick(details)}` : random.pick(reasons)
  if (random.chance(0.4)) return opening
  const [first, second] = random.shuffled(aims)
  return `${opening}\n\nDone when it\n\n- ${first}\n- ${second}`
}
