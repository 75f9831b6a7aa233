import { setTimeout as delay } from 'node:timers/promises'
import { createMigrator } from '../../migrations/migrator.ts'
import { commandArguments } from '../../scripts/local/nodeArguments.ts'
import { businessModel } from '../../src/businesses/model.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { openModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { addWatch } from '../../src/watches/addWatch.ts'
import type { Contender, Task } from './contender.ts'
import { startPeer } from './process.ts'

const timeoutMs = 300_000

/** The product's indexer, with a watch on every recipient: each transfer is matched, stored and detected. */
const contender = (name: string, settings: Record<string, string>): Contender => ({
  name,
  version: '',
  install: async () => {},
  prepare: async () => {},
  async run(scope, task) {
    const db = scope.keep(openModelDb(task.databaseUrl, 2), (each) => each.close())
    await createMigrator(db).up()
    await watchAll(db, task)
    const started = performance.now()
    const peer = startPeer(
      scope,
      'cowry',
      process.execPath,
      [...commandArguments, 'run', 'indexer', 'ethereum'],
      {
        cwd: import.meta.dirname,
        env: {
          PATH: process.env.PATH ?? '',
          DATABASE_URL: task.databaseUrl,
          LOG_LEVEL: 'warn',
          ETHEREUM_RPC_URLS: task.rpcUrl,
          ETHEREUM_CHAIN_ID: '31337',
          ETHEREUM_USDC: task.token,
          ETHEREUM_START_BLOCK: String(task.fromBlock),
          // Like its peers, which do not search for native transfers by contracts.
          ETHEREUM_INTERNAL_TRANSFERS: 'off',
          ...settings,
          ...(process.env.BENCH_COWRY_OPTIONS ? { NODE_OPTIONS: process.env.BENCH_COWRY_OPTIONS } : {}),
        },
      },
    )
    for (const deadline = performance.now() + timeoutMs; !(await isComplete(db, task)); await delay(20)) {
      peer.cpuSeconds()
      if (peer.ended()) throw new Error(`cowry ended too early:\n${peer.output()}`)
      if (performance.now() > deadline)
        throw new Error(`cowry took more than ${timeoutMs / 1000} s:\n${peer.output()}`)
    }
    const complete = performance.now()
    await check(db, task)
    const first = task.requests.firstForEvents()
    if (first === null) throw new Error('cowry never requested events from the node')
    return {
      events: task.transfers,
      seconds: (complete - started) / 1000,
      syncSeconds: (complete - first) / 1000,
      cpuSeconds: peer.cpuSeconds(),
      requests: task.requests.counts(),
    }
  },
})

export const cowry = contender('cowry', {})
/** Like its peers, it trusts its node: neither hashes nor roots are computed. */
export const cowryTrusting = contender('cowry (ETHEREUM_TRUSTED=true)', { ETHEREUM_TRUSTED: 'true' })

async function watchAll(db: ModelDb, task: Task): Promise<void> {
  const businessId = newId()
  await businessModel(db.sequelize).create({
    id: businessId,
    name: 'Bench',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
  await db.tx(async (tx) => {
    for (const address of task.recipients) {
      await addWatch(tx, {
        family: 'evm',
        address,
        businessId,
        purpose: 'session',
        subjectId: newId(),
        finality: { policyId: null, amount: null },
      })
    }
  })
}

/** A lookup by primary key, so that polling is cheap. Block and cursor are written together. */
async function isComplete(db: ModelDb, task: Task): Promise<boolean> {
  const [row] = await db.query<{ there: boolean }>(
    "select height >= $1 as there from chain_cursors where chain = 'ethereum'",
    [task.toBlock],
  )
  return row?.there ?? false
}

/** Checks one transfer and one detection each: amounts, recipients, blocks. */
async function check(db: ModelDb, task: Task): Promise<void> {
  const [row] = await db.query<{ found: string }>(
    `select concat_ws(',', sum(t.amount), count(*), count(distinct (t.tx_id, t.movement_key)), count(*) filter (where t.to_address = any($1)),
       min(t.block_height), max(t.block_height), (select count(*) from detections)) as found
     from transfers t join detections d on d.transfer_id = t.id`,
    [task.recipients],
  )
  const expected = [
    task.volume,
    task.transfers,
    task.transfers,
    task.transfers,
    task.fromBlock,
    task.toBlock,
    task.transfers,
  ].join(',')
  if (row?.found !== expected) throw new Error(`cowry stored ${row?.found} instead of ${expected}`)
}
