import { z } from 'zod'
import { Id } from '../contract/fields.ts'

/** What is told of rows that made room: for those of each project by themselves, as not everybody sees all of them. */
const Respacing = z
  .strictObject({
    projectId: Id.nullable().meta({ description: 'The project that they are in.' }),
    positions: z.array(z.strictObject({ id: Id, position: z.int().meta({ examples: [16_777_216] }) })),
  })
  .meta({ id: 'Respacing', description: 'Rows that stand at new positions, in the same order as before.' })

/** What the events say by which something tells that what it holds was respaced. */
export const respacing = (held: string) =>
  [`Some of ${held} stand at new positions, in the same order, so none has a new version.`, Respacing] as const
