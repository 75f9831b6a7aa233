import { openThreads } from '../../indexers/openThreads.ts'
import { startIndexer } from '../../indexers/startIndexer.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { ConfigError, readConfig } from '../../src/platform/config.ts'
import { type Part, runParts } from '../../src/platform/part.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { runThread } from '../../src/platform/thread.ts'

// The indexers' worker thread of the combined process.

await runThread(async (context) => {
  const { LOG_LEVEL } = readConfig(['LOG_LEVEL'])
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const threads = openThreads(context)
  await runParts(
    context,
    chains.map((chain): Part => {
      const name = `indexer-${chain.name}`
      return {
        name,
        log: createLog(name, LOG_LEVEL),
        start: (each) => startIndexer(each, chain, threads),
        onFailure: 'restart',
      }
    }),
  )
})
