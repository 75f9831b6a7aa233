import { queueNames } from '../src/capabilities.ts'
import { runProcess } from '../src/platform/process.ts'
import { readArguments } from '../src/platform/runCommand.ts'
import { startWorker } from './startWorker.ts'

// npm run worker -- [queue…]: works on these queues, or on all. Every worker also runs the relay.

const usage = 'Usage: npm run worker [-- <queue>…]'

await runProcess('worker', (context) => {
  const asked = readArguments(usage).positionals.map((name) => {
    if (name !== 'outgoing') return name
    process.emitWarning('the queue outgoing is now txmgr; the old name works for one more version', {
      type: 'DeprecationWarning',
    })
    return 'txmgr'
  })
  return startWorker(context, asked.length > 0 ? asked : queueNames)
})
