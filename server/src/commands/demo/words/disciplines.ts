/** The kinds of work, which are the task types of the organization. */
export const disciplines = [
  'design',
  'development',
  'bug',
  'content',
  'research',
  'coordination',
  'operations',
] as const

export type Discipline = (typeof disciplines)[number]

interface Words {
  /** the name of the task type */
  name: string
  color: string
  icon: string
  tags: readonly string[]
  /** names of subtasks, in the order of the work */
  steps: readonly string[]
  /** descriptions of time entries */
  notes: readonly string[]
}

const words = (text: string): readonly string[] => text.split(', ')

/** The words of each discipline. */
export const disciplineWords: Readonly<Record<Discipline, Words>> = {
  design: {
    name: 'Design',
    color: '#8250df',
    icon: 'palette',
    tags: ['design system', 'client review'],
    steps: words('Collect references, Rough sketches, Layout in two variants, Work in the feedback, Final artwork'),
    notes: words('Sketches, Layout variants, Feedback from the review, Icons, Prototype, Mobile layout'),
  },
  development: {
    name: 'Development',
    color: '#1f6feb',
    icon: 'code',
    tags: ['technical debt', 'needs testing'],
    steps: words(
      'Clarify open questions, Data model, First version, Tests, Code review, Deploy to staging, Acceptance',
    ),
    notes: words('Implementation, Tests, Code review, Refactoring, Debugging, Pairing, Fixes after review'),
  },
  bug: {
    name: 'Bug',
    color: '#cf222e',
    icon: 'bug',
    tags: ['regression', 'reported by client'],
    steps: words('Reproduce it, Write a failing test, Find the cause, Fix it, Check on staging, Tell the client'),
    notes: words('Reproduced, Looking for the cause, Fix, Test for it, Checked on staging, Call with the client'),
  },
  content: {
    name: 'Content',
    color: '#bf8700',
    icon: 'pen',
    tags: ['waiting for client', 'copy'],
    steps: words('Gather material, Outline, First draft, Edit, Fact check, Approval by the client, Proofread'),
    notes: words('First draft, Editing, Research, Corrections, Picture research, Proofreading'),
  },
  research: {
    name: 'Research',
    color: '#1a7f37',
    icon: 'search',
    tags: ['workshop', 'analytics'],
    steps: words('Write down the questions, Recruit participants, Pilot run, Sessions, Evaluate, Present the findings'),
    notes: words('Interviews, Evaluation, Preparing the sessions, Reading, Findings on slides, Recruiting'),
  },
  coordination: {
    name: 'Coordination',
    color: '#57606a',
    icon: 'users',
    tags: ['client review', 'waiting for client'],
    steps: words('Find a date, Send the agenda, Prepare the documents, Meeting, Send the minutes, Follow up'),
    notes: words('Status call, Planning, Minutes, E-mails, Preparing the meeting, Workshop, Budget check'),
  },
  operations: {
    name: 'Operations',
    color: '#bc4c00',
    icon: 'server',
    tags: ['launch', 'needs testing'],
    steps: words('Write the checklist, Rehearse, Announce it, Carry it out, Check the result, Write a short report'),
    notes: words('Checks, Going through the list, Set-up, Monitoring, Dry run, Documentation'),
  },
}
