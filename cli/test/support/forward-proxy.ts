import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterwards, type Scope } from '../../../server/test/support/afterwards.ts'

/** A proxy as companies have it between their machines and the internet. Whatever is asked for, it asks one port here. */
export async function openForwardProxy(t: Scope, port: number) {
  /** what it was asked for */
  const asked: string[] = []
  const proxy = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming
    asked.push(`${method} ${url}`)
    const { pathname, search } = new URL(url)
    const onward = request({ host: '127.0.0.1', port, method, path: pathname + search, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward)
  })
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(`CONNECT ${url}`)
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [onward, socket]) end.on('error', () => [onward, socket].map((one) => one.destroy()))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  afterwards(t, async () => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { asked, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}
