/**
 * Founds an organization with a little of everything in it.
 * @param api the address of the API, ending in /api/v1
 * @param name marks all that belongs to it
 * @returns its owner's key, the ids of the key and the owner, and the other ids by noun
 */
export async function foundOrganization(api, operatorToken, name) {
  const owner = { name: `Owner of ${name}`, email: 'owner@example.com' }
  const { apiKey, owner: member } = await post(api, operatorToken, '/organizations', { name, owner })
  const ids = {}
  const make = async (path, fields) => {
    const made = await post(api, apiKey.secret, path, fields)
    const noun = path.split('/').at(-1)
    ids[noun] = [...(ids[noun] ?? []), made.id ?? made.memberId]
    return made.id
  }
  const named = (what, n) => `${what} ${n} of ${name}`
  for (let n = 1; n <= 5; n++) {
    const memberId = await make('/members', { name: named('Member', n), email: `${n}@example.com` })
    await make('/api-keys', { name: named('Key', n), memberId })
    const projectId = await make('/projects', { name: named('Project', n) })
    await make(`/projects/${projectId}/members`, { memberId, role: 'contributor' })
    const tagIds = [await make('/tags', { name: named('Tag', n) })]
    const typeId = await make('/task-types', { name: named('Type', n) })
    const workspaceId = await make('/workspaces', { name: named('Board', n), ...(n > 3 ? {} : { projectId }) })
    for (const stage of ['To do', 'Done']) await make(`/workspaces/${workspaceId}/stages`, { name: stage })
    for (let k = 1; k <= 5; k++) {
      const task = { name: named('Task', k), projectId, workspaceId, typeId, tagIds, assigneeIds: [memberId] }
      const taskId = await make('/tasks', task)
      const subtaskId = await make(`/tasks/${taskId}/subtasks`, { name: named('Step', k) })
      await make('/time-entries', { subtaskId, durationSeconds: 60 * k, description: named('Time', k) })
    }
  }
  return { key: apiKey.secret, spared: [apiKey.id, member.id], ids }
}

async function post(api, key, path, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(api + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status !== 201) throw new Error(`POST ${path} is ${response.status}: ${await response.text()}`)
  return response.json()
}
