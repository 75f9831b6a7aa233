import { readConfigOf } from '../src/platform/config.ts'
import { runProcess } from '../src/platform/process.ts'
import { chainFromArguments } from './chainFromArguments.ts'
import { indexerVariables, startIndexer } from './startIndexer.ts'

// npm run indexer -- <chain>: follows one chain. A second process for the same chain is its hot standby.

const name = process.argv[2] ?? ''
await runProcess(`indexer-${name}`, async (context) => {
  // Report missing general variables before a missing chain.
  readConfigOf('indexer', indexerVariables)
  await startIndexer(context, chainFromArguments(name, 'npm run indexer -- <chain>'))
})
