import { foldName, type Task } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { findMembers, findTags, findTaskTypes, findWorkspaces } from '../../parts/options.ts'
import type { Option } from '../../parts/picker.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { baseOf, type Desk, take, useField } from './desk.ts'
import { estimateText, readEstimate } from './estimate.ts'
import { Picked } from './picked.tsx'
import { PriorityFact } from './priority.tsx'
import { readTask } from './reading.ts'
import { useSaving } from './saving.ts'
import { TypedFact } from './typed-fact.tsx'

interface Place {
  workspaceId: string | null
  stageId: string | null
}

const named = (thing: { id: string; name: string } | null): Option[] =>
  thing === null ? [] : [{ id: thing.id, label: thing.name }]
const placeOf = ({ workspaceId, stageId }: Place): Place => ({ workspaceId, stageId })
const dayOf = (text: string) => (text === '' ? null : text)

/** The short fields of a task, edited in place. */
export function Facts({ desk }: { desk: Desk }) {
  const { task } = desk
  return (
    <dl class="facts" aria-label={words.task.facts}>
      <PlaceFacts desk={desk} />
      <Picked<string[]>
        {...{ desk, label: words.task.assignees, saving: useField(desk, 'assigneeIds'), find: findMembers }}
        options={task.assignees.flatMap(named)}
        none={words.task.nobody}
        {...sortedIds}
        base={({ version, assigneeIds }) => ({ version, value: assigneeIds })}
      />
      <Picked<string[]>
        {...{ desk, label: words.task.tags, saving: useField(desk, 'tagIds'), find: findOrMakeTag }}
        options={task.tags.flatMap(named)}
        none={words.task.none}
        {...sortedIds}
        valueIn={withNewTags}
        base={({ version, tagIds }) => ({ version, value: tagIds })}
      />
      <Picked<string | null>
        {...{ desk, label: words.task.type, saving: useField(desk, 'typeId'), find: findTaskTypes, isSingle: true }}
        options={named(task.type)}
        none={words.task.none}
        valueIn={([type]) => type?.id ?? null}
        idsOf={(id) => (id === null ? [] : [id])}
        base={({ version, typeId }) => ({ version, value: typeId })}
      />
      <PriorityFact desk={desk} />
      <TypedFact<string | null>
        {...{ desk, what: 'startDate', label: words.task.startDate, type: 'date', saving: useField(desk, 'startDate') }}
        {...{ base: baseOf(desk, 'startDate'), textOf: (day) => day ?? '', read: dayOf }}
      />
      <TypedFact<string | null>
        {...{ desk, what: 'dueDate', label: words.task.dueDate, type: 'date', saving: useField(desk, 'dueDate') }}
        {...{ base: baseOf(desk, 'dueDate'), textOf: (day) => day ?? '', read: dayOf }}
      />
      <TypedFact<number | null>
        {...{ desk, what: 'estimate', label: words.task.estimate, saving: useField(desk, 'estimateSeconds') }}
        {...{
          base: baseOf(desk, 'estimateSeconds'),
          textOf: estimateText,
          read: readEstimate,
          placeholder: words.task.estimateHint,
        }}
      />
    </dl>
  )
}

const sortedIds = {
  valueIn: (chosen: readonly Option[]) => chosen.map(({ id }) => id).toSorted(),
  idsOf: (ids: readonly string[]) => ids,
}

/** The board and the stage of a task. */
function PlaceFacts({ desk }: { desk: Desk }) {
  const { task } = desk
  const place = (write: Place) => write
  const saved = {
    id: task.id,
    read: () => readTask(task.id),
    write: (value: Place, ifMatch: string) => tw().tasks.move(task.id, place(value), { ifMatch }),
    valueIn: (item: Task) => placeOf(item),
    take: (item: Task) => take(desk, item),
  }
  const [board, stage] = [useSaving<Task, Place>(saved), useSaving<Task, Place>(saved)]
  const base = (now: Task) => ({ version: now.version, value: placeOf(now) })
  const findStages = async (typed: string, signal: AbortSignal) => {
    if (task.workspaceId === null) return []
    const { data } = await tw().stages.list(task.workspaceId, { limit: 100 }, { signal })
    return data.flatMap(named).filter(({ label }) => foldName(label).includes(foldName(typed)))
  }
  const firstStage = async ([chosen]: readonly Option[]): Promise<Place | undefined> => {
    if (chosen === undefined) return { workspaceId: null, stageId: null }
    const found = await act(() => tw().stages.list(chosen.id, { limit: 1, fields: ['id'] }))
    return found.done ? { workspaceId: chosen.id, stageId: found.value.data[0]?.id ?? null } : undefined
  }
  return (
    <>
      <Picked<Place>
        {...{ desk, label: words.task.board, saving: board, find: findWorkspaces, isSingle: true, base }}
        {...{ options: named(task.workspace), none: words.task.noBoard, valueIn: firstStage }}
        idsOf={({ workspaceId }) => (workspaceId === null ? [] : [workspaceId])}
      />
      {task.workspaceId !== null && (
        <Picked<Place>
          {...{ desk, label: words.task.stage, saving: stage, find: findStages, isSingle: true, base }}
          {...{ options: named(task.stage), none: words.task.none }}
          valueIn={([chosen]) => ({ workspaceId: task.workspaceId, stageId: chosen?.id ?? task.stageId })}
          idsOf={({ stageId }) => (stageId === null ? [] : [stageId])}
        />
      )}
    </>
  )
}

const newTag = 'new:'

/** Tags by name, then an option to create a tag from the text. */
async function findOrMakeTag(typed: string, signal: AbortSignal): Promise<readonly Option[]> {
  const found = await findTags(typed, signal)
  const isThere = found.some(({ label }) => foldName(label) === foldName(typed))
  return typed === '' || isThere ? found : [...found, { id: newTag + typed, label: words.task.makeTag(typed) }]
}

async function withNewTags(chosen: readonly Option[]): Promise<string[] | undefined> {
  const ids: string[] = []
  for (const { id } of chosen) {
    if (!id.startsWith(newTag)) {
      ids.push(id)
      continue
    }
    const name = id.slice(newTag.length)
    const made = await act((once) => tw().tags.create({ name }, once), { said: words.task.tagMade(name) })
    if (!made.done) return undefined
    ids.push(made.value.id)
  }
  return ids.toSorted()
}
