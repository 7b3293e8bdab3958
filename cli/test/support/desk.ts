import { sharedServer } from '../../../server/test/support/world.ts'
import { typingTo } from './typing.ts'

/** The server of a test file, and its desk: a new organization with the project WEB, whose owner types. */
export async function startDesk() {
  const server = await sharedServer()
  async function desk() {
    const world = await server.newWorld()
    const project = await world.project({ name: 'Web site', key: 'WEB' })
    return { ...world, project, tw: typingTo(server.base, world.owner.key) }
  }
  return { server, desk }
}
