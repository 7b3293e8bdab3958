import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { unavailable } from '../../contract/errors.ts'
import { InFlight } from './in-flight.ts'

interface Unsent {
  orgId: string
  bytes: number
}

/** How many bytes of answers may wait to be taken by the clients of one organization. */
const maxBytes = 67_108_864
/** Beyond so many on a connection its next requests wait. */
const maxOnConnection = 4_194_304

/** Limits the answers that clients do not read, by organization and connection: they are kept in memory until they are sent. */
export class UnsentAnswers {
  readonly #bytes = new Map<string, number>()
  readonly #on = new InFlight<Unsent>((unsent) => this.#end(unsent))

  /**
   * @param bytes of an answer that would come to them
   * @throws 503 when that is too much beside the ones that wait
   */
  refuseIfTooMuch(orgId: string, bytes = 0): void {
    const before = this.#bytes.get(orgId) ?? 0
    if (before > 0 && before + bytes > maxBytes) throw tooMuch
  }

  /** Counts an answer until it is sent, or its connection closes. */
  begin(orgId: string, socket: Socket, response: ServerResponse, bytes: number): void {
    if (bytes === 0 || socket.destroyed) return
    const unsent = { orgId, bytes }
    this.#bytes.set(orgId, (this.#bytes.get(orgId) ?? 0) + bytes)
    this.#on.begin(socket, unsent)
    // before it is asked whether the next request of the connection may begin
    response.prependOnceListener('close', () => {
      if (this.#on.end(socket, unsent)) this.#end(unsent)
    })
  }

  /** Whether so much waits on a connection that no further request of it should be answered. */
  isMuchOn(socket: Socket): boolean {
    return this.#on.of(socket).reduce((sum, { bytes }) => sum + bytes, 0) > maxOnConnection
  }

  #end({ orgId, bytes }: Unsent): void {
    const left = (this.#bytes.get(orgId) ?? 0) - bytes
    if (left > 0) this.#bytes.set(orgId, left)
    else this.#bytes.delete(orgId)
  }
}

const tooMuch = unavailable('Too much of what was asked for is not read yet; try again')
