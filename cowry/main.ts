import { startApi } from '../api/startApi.ts'
import { startIndexer } from '../indexers/startIndexer.ts'
import { startWorker } from '../queues/startWorker.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { type Part, runParts } from '../src/platform/part.ts'
import { runProcess } from '../src/platform/process.ts'

// npm run cowry: the API, a worker for all queues, and an indexer for each configured chain, in one process. The treasury is another one.

await runProcess('cowry', async (context) => {
  const { LOG_LEVEL } = readConfig(['LOG_LEVEL'])
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const part = (name: string, start: Part['start'], onFailure: Part['onFailure']): Part => ({
    name,
    log: createLog(name, LOG_LEVEL),
    start,
    onFailure,
  })
  await runParts(context, [
    part('api', startApi, 'end'),
    part('worker', (each) => startWorker(each), 'end'),
    ...chains.map((chain) => part(`indexer-${chain.name}`, (each) => startIndexer(each, chain), 'restart')),
  ])
})
