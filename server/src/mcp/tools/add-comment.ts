import { z } from 'zod'
import { taskKey } from '../calls/names.ts'
import { tool } from '../calls/tool.ts'

/** Comments on a task. */
export const addComment = tool('add_comment', {
  description: 'Comment on a task, in Markdown.',
  input: { task: z.string(), body: z.string() },
  writes: ['POST /tasks/{id}/comments'],
  async run(call, { task, body }) {
    const key = taskKey(task)
    await call.post(`/tasks/${key}/comments`, { body }, { about: `the task ${key}` })
    return `Commented on ${key}.`
  },
})
