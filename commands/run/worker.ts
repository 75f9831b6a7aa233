import { startWorker } from '../../queues/startWorker.ts'
import { queueNames } from '../../src/capabilities.ts'
import { runProcess } from '../../src/platform/process.ts'
import { program } from '../program.ts'

export const run = program('run worker', (words) =>
  runProcess('worker', (context) => {
    const asked = words.map((name) => {
      if (name !== 'outgoing') return name
      process.emitWarning('the queue outgoing is now txmgr; the old name works for one more version', {
        type: 'DeprecationWarning',
      })
      return 'txmgr'
    })
    return startWorker(context, asked.length > 0 ? asked : queueNames)
  }),
)
