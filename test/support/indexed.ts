import { commitBlocks } from '../../indexers/commitBlocks.ts'
import type { LeaderContext } from '../../indexers/context.ts'
import type { ReadBlock } from '../../indexers/findPayments.ts'
import type { Ancestor } from '../../indexers/rewind.ts'
import { businessModel } from '../../src/businesses/model.ts'
import { evmAddress } from '../../src/chains/evm/address.ts'
import type { FinalityPolicy } from '../../src/chains/finality.ts'
import { openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { addWatch } from '../../src/watches/addWatch.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { testChain } from './madeBlocks.ts'
import { urlAs } from './template.ts'

export {
  blockId,
  header,
  payment,
  read,
  sender,
  testChain,
  transfer,
  twoProviders,
  usdc,
  watched,
} from './madeBlocks.ts'

export interface Indexed {
  database: TestDatabase
  businessId: string
  context(env?: Record<string, string>): LeaderContext
  /** Watches an address for a session. @returns the session's id */
  watch(address: string, finality?: { policy?: FinalityPolicy; amount?: string }): Promise<string>
  /** Deletes all that was read, and leads with epoch 7. */
  reset(): Promise<void>
  /** The number of rows, and the cursor's height. */
  written(): Promise<unknown>
  statuses(): Promise<{ key: string; status: string; depth: number | null }[]>
  /** @param finalized the chain's finalized height; every provider has all blocks */
  commit(ctx: LeaderContext, blocks: ReadBlock[], finalized?: number | null): ReturnType<typeof commitBlocks>
}

/** Where a fork starts, if no provider has the blocks above it any more, credited or not. */
export const forkAbove = (height: number, id: string | null = null): Ancestor => ({
  height,
  id,
  credited: { height: height + 1, id: '' },
})

/** A database in which an indexer writes, with one business. */
export async function createIndexed(): Promise<Indexed> {
  const database = await createTestDatabase()
  const { db } = database
  // With the indexer's database role: anything it may not do fails here.
  const own = openDb(urlAs('indexer', database.url), 5)
  const businessId = newId()
  await businessModel(db.sequelize).create({
    id: businessId,
    name: 'B',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
  return {
    database: {
      ...database,
      async drop() {
        await own.close()
        await database.drop()
      },
    },
    businessId,
    context: (env) => ({ db: own, chain: testChain(env), epoch: 7n, codec: evmAddress }),
    async watch(address, { policy, amount = null } = {}) {
      const subjectId = newId()
      const policyId = policy ? newId() : null
      if (policy) {
        await db.query('insert into finality_policies (id, business_id, rules) values ($1, $2, $3)', [
          policyId,
          businessId,
          JSON.stringify(policy),
        ])
      }
      await db.tx(async (tx) =>
        addWatch(tx, {
          family: 'evm',
          address,
          businessId,
          purpose: 'session',
          subjectId,
          finality: { policyId, amount },
        }),
      )
      return subjectId
    },
    async reset() {
      for (const table of ['detections', 'transfers', 'blocks', 'outbox', 'chain_cursors'])
        await db.query(`delete from ${table}`)
      await db.query("insert into chain_cursors (chain, epoch) values ('ethereum', 7)")
    },
    async written() {
      const [row] = await db.query(
        `select (select count(*)::int from blocks) as blocks, (select count(*)::int from transfers) as transfers,
           (select count(*)::int from detections) as detections, (select count(*)::int from outbox) as outbox,
           (select height::int from chain_cursors where chain = 'ethereum') as height`,
      )
      return row
    },
    statuses: () =>
      db.query(
        'select t.movement_key as key, d.status, d.depth from detections d join transfers t on t.id = d.transfer_id order by t.block_height, t.movement_key',
      ),
    commit: (ctx, blocks, finalized = null) =>
      commitBlocks(ctx, blocks, { finalized, head: blocks.at(-1)?.block.height ?? null }),
  }
}
