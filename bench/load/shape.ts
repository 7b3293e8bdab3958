/** How much there is of everything. */
export interface Shape {
  /** tasks of the big organization, in 400 projects */
  bigTasks: number
  /** how many other organizations there are, the ordinary one among them */
  others: number
  /** tasks of each of them but the ordinary one, which always has 2,500 */
  othersTasks: number
  /** tags of the organization of the offset list */
  tags: number
}

export const ordinaryTasks = 2_500
export const bigProjects = 400
/** how many tasks the small, old project has */
export const oldTasks = 60

/** A million tasks in 200 organizations. */
export const full: Shape = { bigTasks: 500_000, others: 199, othersTasks: 2_513, tags: 10_000 }

/** A fiftieth of it; the offset list is as long. */
export const small: Shape = { bigTasks: 10_000, others: 4, othersTasks: 2_500, tags: 10_000 }

/** The ordinary organization with a hundredth of everybody else's data. */
export const fewBeside = ({ bigTasks, others, othersTasks, tags }: Shape): Shape => ({
  bigTasks: Math.max(2 * oldTasks, bigTasks / 100),
  others: 3,
  othersTasks: Math.round(((others - 1) * othersTasks) / 100 / 2),
  tags: tags / 100,
})

export const tasksOf = ({ bigTasks, others, othersTasks }: Shape) =>
  bigTasks + ordinaryTasks + (others - 1) * othersTasks

/** Two to a task. */
export const entriesOf = (shape: Shape) => tasksOf(shape) * 2
