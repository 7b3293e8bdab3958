import type { OwnCommand } from './own-command.ts'

interface ListedCommand {
  summary: string
  load(): Promise<OwnCommand>
}

/** The commands that are not operations of the API, in the order of help. The code of each loads when it is called. */
export const ownCommands: Readonly<Record<string, ListedCommand>> = {
  login: {
    summary: 'Sign in with your browser or an API key',
    load: async () => (await import('../sign-in/login.ts')).login,
  },
  logout: {
    summary: 'Sign out: remove the stored API key',
    load: async () => (await import('../sign-in/logout.ts')).logout,
  },
  profiles: {
    summary: 'List your profiles, or choose the default one',
    load: async () => (await import('../sign-in/list.ts')).profiles,
  },
  whoami: {
    summary: 'Show who you are and the server you use',
    load: async () => (await import('../sign-in/whoami.ts')).whoami,
  },
  listen: {
    summary: 'Show events as they happen, and forward them',
    load: async () => (await import('../listen/listen.ts')).listen,
  },
  completion: {
    summary: 'Print a shell completion script',
    load: async () => (await import('../completion/scripts.ts')).completion,
  },
  mcp: {
    summary: 'Speak the Model Context Protocol over standard input and output',
    load: async () => (await import('../mcp/mcp.ts')).mcp,
  },
  api: { summary: 'Send any request', load: async () => (await import('./api.ts')).api },
}
