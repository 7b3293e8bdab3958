/** What is in a loaded database, and how to ask for it. */
export interface Data {
  /** what it was made as; a database whose data were made otherwise does not fit */
  form: string
  tasks: number
  /** half of all tasks, 400 projects */
  big: {
    orgId: string
    tasks: number
    callers: Record<View, Caller>
    /** some of its tasks, from all of its years */
    taskIds: string[]
    filters: Filters
  }
  /** 2,500 tasks */
  ordinary: { owner: Caller; taskIds: string[] }
  /** what is written goes here */
  writing: { orgId: string; owner: Caller; taskIds: string[] }
  /** 10,000 tags */
  tagged: { owner: Caller }
}

/** What a caller sees of the big organization: all; all by 400 memberships; 200 or 20 projects; one that is small and old. */
export type View = 'owner' | 'all' | 'twoHundred' | 'twenty' | 'one'

export interface Caller {
  orgId: string
  memberId: string
  keyId: string
  key: string
}

export interface Filters {
  projectId: string
  /** its board */
  workspaceId: string
  stageId: string
  assigneeId: string
  commonTagId: string
  secondTagId: string
  rareTagId: string
  typeId: string
  /** who made every task */
  creatorId: string
  /** when half of the tasks were there */
  middle: string
  /** seen by all who see more than one */
  shared: { projectId: string; workspaceId: string; stageId: string; assigneeId: string }
}
