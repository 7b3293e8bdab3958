import { responseHeaders } from '../openapi/headers.ts'

/** What pages of these origins may send and read. @see Fetch Standard, "CORS protocol" */
export const corsOptions = (origins: readonly string[]) => ({
  origin: [...origins],
  strictPreflight: false,
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'X-API-Key',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'X-Request-Id',
    'Last-Event-ID',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
  ],
  exposedHeaders: [...Object.keys(responseHeaders), 'Allow'],
  maxAge: 86_400,
})
