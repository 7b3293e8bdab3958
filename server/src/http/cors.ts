import { responseHeaders } from '../openapi/headers.ts'

/** The requests that pages of these origins can send, and the headers they can read. @see Fetch Standard, "CORS protocol" */
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
