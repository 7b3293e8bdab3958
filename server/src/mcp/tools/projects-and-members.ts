import { z } from 'zod'
import type { Stage } from '../../resources/board/stage.ts'
import type { Member } from '../../resources/member.ts'
import type { Progress } from '../../resources/progress.ts'
import type { Project } from '../../resources/project.ts'
import type { ProjectMember } from '../../resources/projects/members.ts'
import type { Call } from '../calls/call.ts'
import { namesOf } from '../calls/lines.ts'
import { boardsOf, mostBoards, type Page, projectNamed } from '../calls/names.ts'
import { joinLines, joinWithDots, nameInList, oneLine, paged, quoted } from '../calls/text.ts'
import { formatDuration } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'

const onPage = 30

/** Lists projects, or shows the boards, members, types and tags of one project. */
export const listProjects = tool('list_projects', {
  description: 'List projects. With project: its boards and stages, members, task types, tags and progress.',
  input: {
    project: z.string().optional().describe('key or name'),
    query: z.string().optional(),
    archived: z.boolean().default(false),
    page: z.int().min(1).max(500).default(1),
  },
  async run(call, { project, query, archived, page }) {
    if (project !== undefined) return oneProject(call, (await projectNamed(call, project)).key)
    const { data, total } = await call.get<Page<Project>>('/projects', {
      ...{ q: query, status: archived ? 'archived' : 'active', limit: onPage, offset: (page - 1) * onPage },
      fields: 'key,name,dueDate',
    })
    const lines = data.map(({ key, name, dueDate }) =>
      joinWithDots(`${key} ${oneLine(name, 120)}`, dueDate && `due ${dueDate}`),
    )
    return paged(total, archived ? 'archived project' : 'project', lines, { page, onPage })
  },
})

type FullProject = Project & { members: { name: string; role: string }[]; moreMembers?: boolean; progress: Progress }
interface Labels {
  data: { name: string }[]
  total: number
}

async function oneProject(call: Call, key: string): Promise<string> {
  const [project, types, tags] = await Promise.all([
    call.get<FullProject>(`/projects/${key}`, { include: 'members,progress' }, `the project ${key}`),
    call.get<Labels>('/task-types', { limit: onPage, fields: 'name' }),
    call.get<Labels>('/tags', { limit: onPage, fields: 'name' }),
  ])
  const all = await boardsOf(call, project.id)
  const [boards, further] = [all.slice(0, mostBoards), all.slice(mostBoards)]
  const stages = await Promise.all(
    boards.map(({ id }) =>
      call.get<Page<Stage & { taskCount: number }>>(`/workspaces/${id}/stages`, { limit: 100, include: 'taskCount' }),
    ),
  )
  const { todo, doing, done, offBoard, overdue, trackedSeconds } = project.progress
  return joinLines(
    joinWithDots(
      `${project.key} ${oneLine(project.name, 255)}`,
      project.status === 'archived' && 'archived: nothing in it can be changed',
      project.startDate && `starts ${project.startDate}`,
      project.dueDate && `due ${project.dueDate}`,
    ),
    project.description && quoted(project.description, 1_500, 'the rest is omitted'),
    `Tasks: ${todo} to do, ${doing} doing, ${done} done, ${offBoard} without a board, ${overdue} overdue; tracked ${formatDuration(trackedSeconds)}`,
    ...boards.map(({ name, projectId }, i) => {
      const row = (stages[i]?.data ?? []).map(
        (stage) =>
          `${oneLine(stage.name, 60)} (${stage.category}, ${stage.taskCount}${stage.wipLimit ? ` of ${stage.wipLimit}` : ''})`,
      )
      return `Board ${oneLine(name, 60)}${projectId === null ? ', for all projects' : ''}: ${row.join(' → ') || 'no stages'}`
    }),
    further.length > 0 && `Further boards: ${namesOf(further)}`,
    `Members: ${project.members.map(({ name, role }) => `${nameInList(name)} (${role})`).join(', ')}${project.moreMembers ? ', and more' : ''}`,
    labels('Types', types),
    labels('Tags', tags),
  )
}

const labels = (noun: string, { data, total }: Labels): string =>
  `${noun}: ${namesOf(data) || 'none'}${total > data.length ? `, and ${total - data.length} more` : ''}`

/** Lists members. */
export const listMembers = tool('list_members', {
  description: 'List members of the organization, or of a project with their project roles. Marks you.',
  input: {
    query: z.string().optional().describe('start of a name or email'),
    project: z.string().optional(),
    page: z.int().min(1).max(500).default(1),
  },
  async run(call, { query, project, page }) {
    const onPage = 50
    const asked = { limit: onPage, offset: (page - 1) * onPage }
    const isYou = (id: string) => id === call.caller.memberId && 'you'
    const { total, lines } = project === undefined ? await ofOrganization() : await ofProject(project)
    return paged(total, 'member', lines, { page, onPage })

    async function ofOrganization() {
      const { data, total } = await call.get<Page<Member>>('/members', { ...asked, q: query })
      const lines = data.map(({ id, name, email, role, status }) =>
        joinWithDots(`${oneLine(name, 60)} <${oneLine(email, 254)}>`, role, status !== 'active' && status, isYou(id)),
      )
      return { total, lines }
    }

    async function ofProject(project: string) {
      const { key } = await projectNamed(call, project)
      const { data, total } = await call.get<Page<ProjectMember>>(`/projects/${key}/members`, asked)
      return {
        total,
        lines: data.map(({ memberId, name, role }) => joinWithDots(oneLine(name, 60), role, isYou(memberId))),
      }
    }
  },
})
