import { serve } from '../processes/serve.ts'
import { runWorker } from '../processes/worker.ts'
import { command } from './command.ts'

/** The server itself. */
export const serveCommand = command('serve', {
  line: '[--demo]',
  about: [
    'start the server (what npm start does); with --demo an empty database is',
    'filled with something to look at',
  ],
  options: { demo: { type: 'boolean' } },
  run: ({ config, values: { demo }, output }) => serve(config, output, { demo }),
})

/** One process of several: of a server, never of a person. */
export const workerCommand = command('worker', { about: [], run: ({ config }) => runWorker(config) })
