/**
 * Creates an organization with some of every resource.
 * @param api the address of the API, ending in /api/v1
 * @param name is part of all its names
 * @returns the owner's key, the ids of the key and the owner, and the existing and deleted ids by noun
 */
export async function foundOrganization(api, operatorToken, name) {
  const { apiKey, owner, ids, deleted } = await filledOrganization(api, operatorToken, name)
  return { key: apiKey.secret, spared: [apiKey.id, owner.id], ids, deleted, hidden: [] }
}

/**
 * Creates an organization to test with the key of a plain member, who contributes to one project, views another, and is in none
 * of the others.
 * @returns the same with the member's key, and the ids that the member cannot see
 */
export async function foundMembership(api, operatorToken, name) {
  const { apiKey, ids, deleted, hidden } = await filledOrganization(api, operatorToken, name)
  const make = (path, fields) => send(api, apiKey.secret, 'POST', path, fields)
  const { id: memberId } = await make('/members', { name: `Plain member of ${name}`, email: 'plain@example.com' })
  const roles = ['contributor', 'viewer']
  for (const [i, role] of roles.entries()) await make(`/projects/${ids.projects[i]}/members`, { memberId, role })
  const [contributed] = ids.projects
  const { data } = await send(api, apiKey.secret, 'GET', `/tasks?projectId=${contributed}`)
  const time = await make('/time-entries', { taskId: data[0].id, memberId, durationSeconds: 60 })
  ids['time-entries'].push(time.id)
  const { id, secret } = await make('/api-keys', { name: 'Plain', memberId })
  return { key: secret, spared: [id, memberId], ids, deleted, hidden: [...hidden, ...ids['api-keys']] }
}

/** @returns also the ids in the projects after the second one, which only their members can see */
async function filledOrganization(api, operatorToken, name) {
  const owner = { name: `Owner of ${name}`, email: 'owner@example.com' }
  const founded = await send(api, operatorToken, 'POST', '/organizations', { name, owner })
  const { apiKey } = founded
  const ids = {}
  const hidden = []
  const deleted = {}
  const make = async (path, fields) => {
    const made = await send(api, apiKey.secret, 'POST', path, fields)
    const noun = path.split('/').at(-1)
    ids[noun] = [...(ids[noun] ?? []), made.id ?? made.memberId]
    const projectId = noun === 'projects' ? made.id : noun === 'members' ? null : made.projectId
    if (projectId && ids.projects.indexOf(projectId) > 1) hidden.push(made.id)
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
      await make(`/tasks/${taskId}/comments`, { body: named('Comment', k) })
      await make('/time-entries', { subtaskId, durationSeconds: 60 * k, description: named('Time', k) })
    }
  }
  const [projectId, workspaceId, taskId] = [ids.projects[0], ids.workspaces[0], ids.tasks[0]]
  for (let n = 1; n <= 5; n++) {
    const name = named('Deleted', n)
    for (const [noun, fields, path = `/${noun}`] of [
      ...['projects', 'tags', 'task-types', 'workspaces'].map((noun) => [noun, { name }]),
      ['tasks', { name, projectId }],
      ['stages', { name }, `/workspaces/${workspaceId}/stages`],
      ['subtasks', { name }, `/tasks/${taskId}/subtasks`],
      ['comments', { body: name }, `/tasks/${taskId}/comments`],
      ['time-entries', { taskId, durationSeconds: 60 }],
    ]) {
      const { id } = await send(api, apiKey.secret, 'POST', path, fields)
      await send(api, apiKey.secret, 'DELETE', `/${noun}/${id}`)
      deleted[noun] = [...(deleted[noun] ?? []), id]
    }
  }
  return { ...founded, ids, deleted, hidden }
}

async function send(api, key, method, path, body) {
  const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const response = await fetch(api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (!response.ok) throw new Error(`${method} ${path} is ${response.status}: ${await response.text()}`)
  return response.status === 204 ? undefined : response.json()
}
