import { startDeliveries } from '../../src/jobs/deliveries/deliveries.ts'
import { post } from '../../src/jobs/deliveries/post.ts'
import { resolver } from '../../src/jobs/deliveries/resolving.ts'
import { createSecrets } from '../../src/operations/secrets.ts'
import { allowed } from './allowed.ts'

/** A process that delivers, and does nothing else, until it is killed: run by itself, with its retry policy as JSON. */
const [url = '', secretKey = '', retryPolicy = ''] = process.argv.slice(2)
startDeliveries({
  connection: { connectionString: url },
  onNotice: () => () => {},
  note: () => {},
  secrets: createSecrets(secretKey),
  post: (...asked) => post(...asked, { allowed, resolve: resolver({ alsoLocal: true }) }),
  userAgent: 'Taskwright/test',
  logger: { warn: () => {} },
  metrics: { attempted: () => {}, watch: () => {} },
  retryPolicy: JSON.parse(retryPolicy),
  lookEveryMs: 50,
})
process.on('disconnect', () => process.exit())
process.send?.('delivering')
