import type { OwnCommand } from './own-command.ts'

interface Listed {
  summary: string
  load(): Promise<OwnCommand>
}

/** The commands that are no operations of the API, in the order of help. What one does is only read when it is called. */
export const ownCommands: Readonly<Record<string, Listed>> = {
  login: {
    summary: 'Sign in: keep the URL of a server and an API key',
    load: async () => (await import('../sign-in/login.ts')).login,
  },
  logout: { summary: 'Forget an API key', load: async () => (await import('../sign-in/logout.ts')).logout },
  profiles: {
    summary: 'List where you are signed in, or choose where',
    load: async () => (await import('../sign-in/list.ts')).profiles,
  },
  whoami: { summary: 'Say who you are, and where', load: async () => (await import('../sign-in/whoami.ts')).whoami },
  listen: {
    summary: 'Show events as they happen, and forward them',
    load: async () => (await import('../listen/listen.ts')).listen,
  },
  completion: {
    summary: 'Print what completes words in a shell',
    load: async () => (await import('../completion/scripts.ts')).completion,
  },
  mcp: {
    summary: 'Speak the Model Context Protocol over standard input and output',
    load: async () => (await import('../mcp/mcp.ts')).mcp,
  },
  api: { summary: 'Send any request', load: async () => (await import('./api.ts')).api },
}
