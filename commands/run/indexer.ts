import { ConfigError, readConfigOf } from '../src/platform/config.ts'
import { runParts } from '../src/platform/part.ts'
import { type ProcessContext, runProcess } from '../src/platform/process.ts'
import { processVariables } from '../src/platform/processVariables.ts'
import { runCommand } from '../src/platform/runCommand.ts'
import { chainFromArguments } from './chainFromArguments.ts'
import { openThreads } from './openThreads.ts'
import { startIndexer } from './startIndexer.ts'

// npm run indexer -- <chain>: follows one chain. A second process for the same chain is its hot standby.

const usage = 'Usage: npm run indexer -- <chain>'

await runCommand({ usage }, async ([name]) => {
  if (name === undefined) throw new ConfigError(usage)
  await runProcess(`indexer-${name}`, async (context) => {
    // Report missing general variables before a missing chain.
    readConfigOf('indexer', processVariables.indexer)
    const chain = chainFromArguments(name, usage)
    const threads = openThreads(context)
    const start = (part: ProcessContext) => startIndexer(part, chain, threads)
    await runParts(context, [{ name: 'indexer', log: context.log, start, onFailure: 'end' }])
  })
})
