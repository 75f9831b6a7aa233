import { startApi } from '../../api/startApi.ts'
import { startVerification } from '../../api/verification/startVerification.ts'
import { startWorker } from '../../queues/startWorker.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { ConfigError, readConfig } from '../../src/platform/config.ts'
import { type Part, runParts } from '../../src/platform/part.ts'
import { runProcess } from '../../src/platform/process.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { startThread } from '../../src/platform/thread.ts'
import { program } from '../program.ts'

// The indexers run in their own thread, because parsing a large block takes longer than a request may wait.

export const run = program('run all', () =>
  runProcess('cowry', async (context) => {
    const { LOG_LEVEL } = readConfig(['LOG_LEVEL'])
    const { chains, mistakes } = configuredChains(process.env)
    if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
    const part = (name: string, start: Part['start']): Part => ({
      name,
      log: createLog(name, LOG_LEVEL),
      start,
      onFailure: 'end',
    })
    const indexers = {
      name: 'indexers',
      file: new URL('./indexerThread.ts', import.meta.url),
      checks: chains.map((chain) => `indexer-${chain.name}`),
    }
    await runParts(context, [
      part('api', startApi),
      ...(process.env.VERIFY_KEY ? [part('verification', startVerification)] : []),
      part('worker', (each) => startWorker(each)),
      part('indexers', (each) => startThread(each, context.readyWhen, indexers)),
    ])
  }),
)
