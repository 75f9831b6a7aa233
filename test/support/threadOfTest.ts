import { isMainThread } from 'node:worker_threads'
import { ConfigError } from '../../src/platform/config.ts'
import { runParts } from '../../src/platform/part.ts'
import { runProcess } from '../../src/platform/process.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { runThread, startThread } from '../../src/platform/thread.ts'

// A process with one part of its own and a thread. THREAD_DOES selects the end of the thread.

const log = createLog('test', 'info')
const does = process.env.THREAD_DOES
const mistake = (name: string) => new ConfigError(`cannot be used:\n  - ${name} is not set`)

if (isMainThread) {
  await runProcess('test', (context) =>
    runParts(context, [
      {
        name: 'first',
        log,
        onFailure: 'end',
        async start({ metrics, onStop }) {
          metrics.counter('rpc_calls_total', 'Calls', ['chain']).inc({ chain: 'base' }, 2)
          onStop(async () => log.info('the first has stopped'))
          if (does === 'is mistaken') throw mistake('FIRST')
        },
      },
      {
        name: 'second',
        log,
        onFailure: 'end',
        start: (each) =>
          startThread(each, context.readyWhen, {
            name: 'apart',
            file: new URL(import.meta.url),
            checks: ['inner'],
          }),
      },
    ]),
  )
} else {
  await runThread(async ({ metrics, onStop, readyWhen, stop }) => {
    onStop(async () => log.info('the thread has stopped'))
    metrics.counter('rpc_calls_total', 'Calls', ['chain']).inc({ chain: 'base' }, 3)
    let ready = false
    readyWhen({
      name: 'inner',
      check: async () => {
        if (!ready) throw new Error('not quite')
      },
    })
    if (does === 'is mistaken') throw mistake('SECOND')
    if (does === 'cannot start') throw new Error('no node answers')
    setTimeout(() => {
      ready = true
      if (does === 'throws') throw new Error('thrown in the thread')
      if (does === 'rejects') void Promise.reject(new Error('rejected in the thread'))
      if (does === 'requests a stop') stop(new Error('the thread cannot go on'))
      if (does === 'exits') process.exit()
    }, 200)
  })
}
