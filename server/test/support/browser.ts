import { ask } from './asking.ts'

/** A browser that keeps the cookies of one server and sends its requests from a page of that server. */
export function openBrowser(base: string, headers: Record<string, string> = {}) {
  const cookies = new Map<string, string>()
  const call = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await ask(
      `${base}/api/v1${path}`,
      method,
      {
        'sec-fetch-site': 'same-origin',
        ...(cookie !== '' && { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...more,
      },
      body === undefined ? undefined : JSON.stringify(body),
    )
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return Object.assign(answer, { body: answer.text === '' ? undefined : JSON.parse(answer.text) })
  }
  return {
    cookies,
    call,
    get: (path: string, more?: Record<string, string>) => call('GET', path, undefined, more),
    post: (path: string, body: unknown = {}, more?: Record<string, string>) => call('POST', path, body, more),
    patch: (path: string, body: unknown, more?: Record<string, string>) => call('PATCH', path, body, more),
    delete: (path: string, more?: Record<string, string>) => call('DELETE', path, undefined, more),
  }
}

export type Browser = ReturnType<typeof openBrowser>
