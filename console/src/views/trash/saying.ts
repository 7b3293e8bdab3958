import { dayOf, dayText, durationText } from '../../parts/format.ts'
import { apart } from '../../plain-names.ts'
import type { TrashItem } from './deleted.ts'
import { trashWords } from './trash-words.ts'

const longest = 160

/** The name of a deleted item. */
export function nameOf({ kind, snapshot }: TrashItem): string {
  const text = (field: string) => {
    const value = snapshot[field]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  if (kind === 'task') return [text('key'), apart(text('name') ?? '')].filter(Boolean).join(' ')
  if (kind === 'comment') return shortened(text('body') ?? trashWords.nameless.comment)
  if (kind === 'webhook') return shortened(text('url') ?? text('description') ?? trashWords.nameless.webhook)
  if (kind === 'time_entry') {
    const { startedAt, durationSeconds } = snapshot
    const day = typeof startedAt === 'string' ? dayText(dayOf(new Date(startedAt))) : ''
    const length = typeof durationSeconds === 'number' ? durationText(durationSeconds) : ''
    return shortened([trashWords.time(length, day), text('description')].filter(Boolean).join(': '))
  }
  return text('name') ?? trashWords.kinds[kind]
}

/** The id of the item's task, if it has one. */
export function taskOf({ kind, snapshot: { taskId } }: TrashItem): string | undefined {
  return kind !== 'task' && typeof taskId === 'string' ? taskId : undefined
}

const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)
