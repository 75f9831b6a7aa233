import { commitBlocks } from '../../indexers/commitBlocks.ts'
import type { LeaderContext } from '../../indexers/context.ts'
import type { Payment, ReadBlock } from '../../indexers/findPayments.ts'
import { businessModel } from '../../src/accounts/models.ts'
import type { Transfer } from '../../src/chains/chain.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { evmAddress } from '../../src/chains/evm/address.ts'
import type { FinalityPolicy } from '../../src/chains/finality.ts'
import { type Asset, assetsOf, type ConfiguredChain } from '../../src/chains/registry.ts'
import { addWatch } from '../../src/monitoring/addWatch.ts'
import { newId } from '../../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** Ethereum with three confirmations and one provider; finalized is ten blocks deep where nobody tells. */
export function testChain(env: Record<string, string> = {}): ConfiguredChain {
  const { chains, mistakes } = configuredChains({
    ETHEREUM_RPC_URLS: 'http://127.0.0.1:1',
    ETHEREUM_CONFIRMATIONS: '3',
    ETHEREUM_FINALIZED_DEPTH: '10',
    ...env,
  })
  const [chain] = chains
  if (!chain || mistakes.length > 0) throw new Error(mistakes.join())
  return chain
}

export const twoProviders = { ETHEREUM_RPC_URLS: 'http://127.0.0.1:1,http://127.0.0.2:1' }
export const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const watched = `0x${'ab'.repeat(20)}`
export const sender = `0x${'cd'.repeat(20)}`
export const blockId = (fork: string, height: number) => `0x${fork}${String(height).padStart(62, '0')}`

/** @param fork two hexadecimal digits; `parent` the branch that the parent is of */
export const header = (height: number, fork = 'aa', parent = fork) => ({
  height,
  id: blockId(fork, height),
  parentId: blockId(parent, height - 1),
  time: new Date(1_700_000_000_000 + height * 12_000),
})

/** A movement to `watched`, of USDC unless it says so. */
export const transfer = (amount: bigint, key = 'log:0', more: Partial<Transfer> = {}): Transfer => ({
  txId: `0x${'01'.repeat(32)}`,
  movementKey: key,
  contract: usdc,
  from: sender,
  to: watched,
  amount,
  ...more,
})

export function payment(of: Transfer, chain = testChain()): Payment {
  const asset: Asset | undefined = assetsOf(chain).find(({ contract }) => contract === of.contract)
  if (!asset) throw new Error(`no asset ${of.contract}`)
  return { transfer: of, asset }
}

export const read = (head: ReturnType<typeof header>, transfers: Transfer[] = [], { traced = true, source = 'one' } = {}): ReadBlock => ({
  block: { ...head, source, traced },
  payments: transfers.map((each) => payment(each)),
})

export interface Indexed {
  database: TestDatabase
  businessId: string
  context(env?: Record<string, string>): LeaderContext
  /** Watches an address for a session; gives the session's id. */
  watch(address: string, finality?: { policy?: FinalityPolicy; amount?: string }): Promise<string>
  /** Forgets all that was read, and leads with epoch 7. */
  reset(): Promise<void>
  /** How many rows there are, and how high the cursor. */
  written(): Promise<unknown>
  statuses(): Promise<{ key: string; status: string; depth: number | null }[]>
  commit(ctx: LeaderContext, blocks: ReadBlock[], told?: number | null): ReturnType<typeof commitBlocks>
}

/** A database in which an indexer writes, with one business. */
export async function createIndexed(): Promise<Indexed> {
  const database = await createTestDatabase()
  const { db } = database
  const businessId = newId()
  await businessModel(db.sequelize).create({ id: businessId, name: 'B', localCurrency: null, feePercent: '0', fxMarginPercent: '0', accepted: null })
  return {
    database,
    businessId,
    context: (env) => ({ db, chain: testChain(env), epoch: 7n, codec: evmAddress }),
    async watch(address, { policy, amount = null } = {}) {
      const subjectId = newId()
      const policyId = policy ? newId() : null
      if (policy) {
        await db.query('insert into finality_policies (id, business_id, rules) values ($1, $2, $3)', [policyId, businessId, JSON.stringify(policy)])
      }
      await db.tx((tx) => addWatch(tx, { family: 'evm', address, businessId, purpose: 'session', subjectId, finality: { policyId, amount } }))
      return subjectId
    },
    async reset() {
      for (const table of ['detections', 'transfers', 'blocks', 'outbox', 'chain_cursors']) await db.query(`delete from ${table}`)
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
    commit: (ctx, blocks, told = null) => commitBlocks(ctx, blocks, told),
  }
}
