import type { World } from '../../../server/test/support/world.ts'

/** Text that does something where it is taken for HTML, a URL or a pattern; where it is text, it is seen as it stands here. */
export const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>'"&lt;\${7*7}{{7*7}} [a](javascript:alert(3)) \u202Eabc`

/**
 * What the tests of a view find: an organization with an owner and a member, a project WEB, a board of four stages, and tasks
 * of all kinds on it.
 */
export async function setScene(world: World) {
  const { owner, member } = world
  const project = await world.project({ name: 'Website', key: 'WEB' })
  await world.addToProject(project.id, member)
  const tag = await world.tag({ name: 'urgent', color: '#c0392b' })
  const board = await world.workspace({
    name: 'Website board',
    projectId: project.id,
    stages: ['To do', 'Doing', 'Review', 'Done'],
  })
  const stages: { id: string; name: string }[] = await world.stages(board.id)
  const categories: Record<string, string> = { Doing: 'doing', Review: 'doing', Done: 'done' }
  for (const { id, name } of stages)
    if (categories[name]) await owner.patch(`/stages/${id}`, { category: categories[name] })
  const inStage = (name: string) => ({
    projectId: project.id,
    workspaceId: board.id,
    stageId: stages.find((stage) => stage.name === name)?.id,
  })
  const tasks = {
    logo: await world.task({ ...inStage('To do'), name: 'Draw a logo', tagIds: [tag.id], priority: 'high' }),
    copy: await world.task({ ...inStage('To do'), name: 'Write the copy', assigneeIds: [member.memberId] }),
    form: await world.task({
      ...inStage('Doing'),
      name: 'Build the contact form',
      description: 'With **two** fields:\n\n- name\n- message',
      assigneeIds: [owner.memberId, member.memberId],
      dueDate: '2026-12-24',
      estimateSeconds: 7_200,
    }),
    launch: await world.task({ ...inStage('Done'), name: 'Choose a host' }),
  }
  const step = await world.subtask(tasks.form.id, { name: 'Check the address', assigneeId: member.memberId })
  return { ...world, project, tag, board, stages, inStage, tasks, step }
}
