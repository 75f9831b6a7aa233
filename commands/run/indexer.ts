import { openThreads } from '../../indexers/openThreads.ts'
import { startIndexer } from '../../indexers/startIndexer.ts'
import { readConfigOf } from '../../src/platform/config.ts'
import { runParts } from '../../src/platform/part.ts'
import { type ProcessContext, runProcess } from '../../src/platform/process.ts'
import { processVariables } from '../../src/platform/processVariables.ts'
import { chainFromArguments } from '../chainFromArguments.ts'
import { program } from '../program.ts'
import { UsageError } from '../usageError.ts'

export const run = program('run indexer', async ([name]) => {
  if (name === undefined) throw new UsageError()
  await runProcess(`indexer-${name}`, async (context) => {
    // Report missing general variables before a missing chain.
    readConfigOf('indexer', processVariables.indexer)
    const chain = chainFromArguments(name)
    const threads = openThreads(context)
    const start = (part: ProcessContext) => startIndexer(part, chain, threads)
    await runParts(context, [{ name: 'indexer', log: context.log, start, onFailure: 'end' }])
  })
})
