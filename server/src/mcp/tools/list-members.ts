import { z } from 'zod'
import type { Member } from '../../resources/member.ts'
import type { ProjectMember } from '../../resources/projects/members.ts'
import { type Page, projectNamed } from '../calls/names.ts'
import { below, beside, counted, oneLine } from '../calls/text.ts'
import { tool } from '../calls/tool.ts'

const onPage = 50

/** Who there is. */
export const listMembers = tool('list_members', {
  description: 'List members of the organization, or of a project with their roles there. Marks who you are.',
  input: {
    query: z.string().optional().describe('starts of a name or e-mail'),
    project: z.string().optional(),
    page: z.int().min(1).max(500).default(1),
  },
  async run(call, { query, project, page }) {
    const asked = { limit: onPage, offset: (page - 1) * onPage }
    const isYou = (id: string) => id === call.caller.memberId && 'you'
    const { total = 0, lines } = project === undefined ? await ofOrganization() : await ofProject(project)
    return below(`${counted(total, 'member')}:`, ...lines, page * onPage < total && `More: page ${page + 1}`)

    async function ofOrganization() {
      const { data, total } = await call.get<Page<Member>>('/members', { ...asked, q: query })
      const lines = data.map(({ id, name, email, role, status }) =>
        beside(`${oneLine(name, 60)} <${email}>`, role, status !== 'active' && status, isYou(id)),
      )
      return { total, lines }
    }

    async function ofProject(project: string) {
      const { key } = await projectNamed(call, project)
      const { data, total } = await call.get<Page<ProjectMember>>(`/projects/${key}/members`, asked)
      return { total, lines: data.map(({ memberId, name, role }) => beside(oneLine(name, 60), role, isYou(memberId))) }
    }
  },
})
