/** What kind of work a task is: the organization's task types, in the order of their place in a project. */
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
  /** of the task type */
  name: string
  color: string
  icon: string
  tags: readonly string[]
  /** subtasks, in the order in which they are done */
  steps: readonly string[]
  /** what somebody did in an hour of it */
  notes: readonly string[]
  /** what must be so in the end */
  aims: readonly string[]
}

/** How each discipline speaks of its work. */
export const speech: Readonly<Record<Discipline, Words>> = {
  design: {
    name: 'Design',
    color: '#8250df',
    icon: 'palette',
    tags: ['design system', 'client review'],
    steps: [
      ...[
        'Collect references',
        'Rough sketches',
        'Layout in two variants',
        'Internal critique',
        'Work in the feedback',
      ],
      ...['States and edge cases', 'Check contrast', 'Client review', 'Final artwork', 'Hand over to development'],
    ],
    notes: [
      ...[
        'Sketches',
        'Layout variants',
        'Feedback from the review',
        'Fine-tuning type and spacing',
        'Icons',
        'Prototype',
      ],
      ...['Critique with the team', 'Export and handover', 'Mobile layout', 'Contrast and colours'],
    ],
    aims: ['works from 320 px up', 'uses only what the style guide has', 'was seen by one other designer'],
  },
  development: {
    name: 'Development',
    color: '#1f6feb',
    icon: 'code',
    tags: ['technical debt', 'needs testing'],
    steps: [
      ...['Clarify open questions', 'Data model', 'First version behind a flag', 'Tests', 'Edge cases', 'Code review'],
      ...['Work in the review', 'Measure performance', 'Write the documentation', 'Deploy to staging', 'Acceptance'],
    ],
    notes: [
      ...['Implementation', 'Tests', 'Code review', 'Refactoring', 'Debugging', 'Pairing', 'Deploy to staging'],
      ...['Set-up and reading', 'Fixes after review', 'Call about the interface'],
    ],
    aims: ['is covered by tests', 'was reviewed and deployed to staging', 'is documented in the handbook'],
  },
  bug: {
    name: 'Bug',
    color: '#cf222e',
    icon: 'bug',
    tags: ['regression', 'reported by client'],
    steps: ['Reproduce it', 'Write a failing test', 'Find the cause', 'Fix it', 'Check on staging', 'Tell the client'],
    notes: ['Reproduced', 'Looking for the cause', 'Fix', 'Test for it', 'Checked on staging', 'Call with the client'],
    aims: ['has a test that failed before', 'was checked by whoever reported it', 'is in the next release'],
  },
  content: {
    name: 'Content',
    color: '#bf8700',
    icon: 'pen',
    tags: ['waiting for client', 'copy'],
    steps: [
      ...[
        'Gather material',
        'Outline',
        'First draft',
        'Edit',
        'Fact check',
        'Approval by the client',
        'Enter and format',
      ],
      ...['Proofread'],
    ],
    notes: [
      ...['First draft', 'Editing', 'Research', 'Corrections', 'Picture research', 'Entering texts', 'Proofreading'],
      ...['Call about the tone'],
    ],
    aims: ['is approved in writing', 'fits the tone of voice', 'was proofread by a second pair of eyes'],
  },
  research: {
    name: 'Research',
    color: '#1a7f37',
    icon: 'search',
    tags: ['workshop', 'analytics'],
    steps: [
      'Write down the questions',
      'Recruit participants',
      'Pilot run',
      'Sessions',
      'Evaluate',
      'Present the findings',
    ],
    notes: ['Interviews', 'Evaluation', 'Preparing the sessions', 'Reading', 'Findings on slides', 'Recruiting'],
    aims: ['answers the three questions of the brief', 'fits on one page', 'names what we do next'],
  },
  coordination: {
    name: 'Coordination',
    color: '#57606a',
    icon: 'users',
    tags: ['client review', 'waiting for client'],
    steps: ['Find a date', 'Send the agenda', 'Prepare the documents', 'Meeting', 'Send the minutes', 'Follow up'],
    notes: ['Status call', 'Planning', 'Minutes', 'E-mails', 'Preparing the meeting', 'Workshop', 'Budget check'],
    aims: ['ends with a decision', 'has minutes that everybody got', 'keeps the date of the milestone'],
  },
  operations: {
    name: 'Operations',
    color: '#bc4c00',
    icon: 'server',
    tags: ['launch', 'needs testing'],
    steps: [
      'Write the checklist',
      'Rehearse',
      'Announce it',
      'Carry it out',
      'Check the result',
      'Write down what we learned',
    ],
    notes: [
      'Checks',
      'Going through the list',
      'Set-up',
      'Monitoring',
      'Dry run',
      'Documentation',
      'Call with hosting',
    ],
    aims: ['can be undone within an hour', 'is on the checklist', 'was announced a day ahead'],
  },
}
