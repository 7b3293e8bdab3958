import assert from 'node:assert/strict'
import type { Api, World } from '../../support/world.ts'

/** A moment of one day. */
export const at = (time: string) => `2026-03-02T${time}:00.000Z`

/** Makes organizations whose members' entries may not overlap. */
export const settingUp =
  (newWorld: () => Promise<World>) =>
  async (overlapPolicy = 'reject') => {
    const world = await newWorld()
    const { id: projectId } = await world.project()
    const { id: taskId } = await world.task({ projectId })
    const settle = async (settings: object) =>
      assert.equal((await world.owner.patch('/organization', { settings })).status, 200)
    await settle({ overlapPolicy })
    const entry = (from: string, to: string | null, fields: object = {}) => ({
      ...{ taskId, startedAt: at(from), endedAt: to && at(to) },
      ...fields,
    })
    const log = (from: string, to: string | null, fields: object = {}, api: Api = world.owner) =>
      api.post('/time-entries', entry(from, to, fields))
    return { ...world, projectId, taskId, settle, entry, log }
  }

export const refusal = { status: 412, code: 'time_overlaps' }
export const outcome = ({ status, headers }: { status: number; headers: Headers }) => ({
  status,
  code: headers.get('x-error-code'),
})
