import { mnemonicToSeedSync } from '@scure/bip39'
import { commitBlocks } from '../../indexers/commitBlocks.ts'
import type { LeaderContext } from '../../indexers/context.ts'
import { findPayments } from '../../indexers/findPayments.ts'
import { loadWatchList, type WatchList } from '../../indexers/watchList.ts'
import { businessModel } from '../../src/businesses/model.ts'
import type { Block, BlockReader, Transfer } from '../../src/chains/chain.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import type { ConfiguredChain } from '../../src/chains/registry.ts'
import { stellarAddress, unmuxed } from '../../src/chains/stellar/address.ts'
import { stellarKeyDeriver } from '../../src/chains/stellar/keyDeriver.ts'
import { watchAccount } from '../../src/corrections/watchAccount.ts'
import { type DirectConnection, openDirect } from '../../src/platform/database/db.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import type { OutboxJob } from '../../src/platform/jobs.ts'
import { addWatch } from '../../src/watches/addWatch.ts'
import type { DetectionChange } from '../../src/watches/purposes.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

const seed = mnemonicToSeedSync('test test test test test test test test test test test junk')
/** Deposits of one account, and the account. */
export const depositOf = (index: number): string => stellarKeyDeriver.deriveDeposit(seed, index).address
export const account = unmuxed(depositOf(0)).account

/** Stellar with one RPC, so that no other one is called. */
export function stellarChain(): ConfiguredChain {
  const { chains, mistakes } = configuredChains({ STELLAR_RPC_URLS: 'http://127.0.0.1:1' })
  const [chain] = chains
  if (!chain || mistakes.length > 0) throw new Error(mistakes.join())
  return chain
}

export const usdc = stellarChain().tokens.find(({ symbol }) => symbol === 'USDC')?.contract ?? ''

let moved = 0
/** A payment of USDC, in units of 10^-7. */
export function paymentTo(to: string, amount: bigint, more: Partial<Transfer> = {}): Transfer {
  moved += 1
  return {
    txId: moved.toString(16).padStart(64, '0'),
    movementKey: `op:0:${to}:${usdc}`,
    contract: usdc,
    from: account,
    to,
    amount,
    ...more,
  }
}

export interface SharedAccount {
  database: TestDatabase
  ctx: LeaderContext & { db: ModelDb }
  /** Watches a deposit for a session. @returns the session's id */
  watch(address: string): Promise<string>
  /** Reads the next ledger, with these transfers, as an indexer does. */
  read(...transfers: Transfer[]): Promise<void>
  detections(): Promise<{ id: string; to: string; status: string; subject: string | null; mine: boolean }[]>
  /** Takes the queued jobs, oldest first. */
  takeJobs(): Promise<
    (Partial<OutboxJob<'suspense'>> & { queue: string; reason: DetectionChange; sessionId?: string })[]
  >
  close(): Promise<void>
}

/** A database in which an indexer of Stellar writes, with the platform's account watched. */
export async function createSharedAccount(): Promise<SharedAccount> {
  const database = await createTestDatabase()
  const { db } = database
  const businessId = newId()
  await businessModel(db.sequelize).create({
    id: businessId,
    name: 'B',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
  await db.query(
    "insert into chain_cursors (chain, epoch) values ('stellar', 7) on conflict (chain) do update set epoch = 7",
  )
  const ctx: LeaderContext & { db: ModelDb } = { db, chain: stellarChain(), epoch: 7n, codec: stellarAddress }
  await watchAccount(ctx, 'stellar', account)
  const direct: DirectConnection = await openDirect(database.url, 'test of a shared account')
  const watches: WatchList = await loadWatchList(direct, 'stellar', 'stellar')
  let height = 0
  return {
    database,
    ctx,
    async watch(address) {
      const subjectId = newId()
      const finality = { policyId: null, amount: null }
      await db.tx(async (tx) =>
        addWatch(tx, { family: 'stellar', address, businessId, purpose: 'session', subjectId, finality }),
      )
      return subjectId
    },
    async read(...transfers) {
      height += 1
      const id = (at: number) => `ledger ${at}`
      const block: Block = {
        height,
        id: id(height),
        parentId: id(height - 1),
        time: new Date(),
        source: 'one',
        traced: true,
        transfers,
      }
      await watches.readTail()
      // A transfer of Stellar is never left open, and amounts are always known: the reader is not used.
      const reader = {} as BlockReader
      await commitBlocks(ctx, await findPayments({ ...ctx, watches, reader }, [block]), {
        finalized: height,
        head: height,
      })
    },
    detections: () =>
      db.query(
        `select d.id, t.to_address as to, d.status, d.subject_id as subject, d.business_id is not null as mine
         from detections d join transfers t on t.id = d.transfer_id order by d.block_height, t.movement_key`,
      ),
    async takeJobs() {
      const rows = await db.query<{
        id: string
        queue: string
        payload: { reason: DetectionChange; sessionId?: string; detectionId?: string }
      }>(
        'with gone as (delete from outbox returning id, queue, payload) select id::text, queue, payload from gone order by id',
      )
      return rows.map(({ id, queue, payload }) => ({ queue, outboxId: id, ...payload }))
    },
    async close() {
      await direct.close()
      await database.drop()
    },
  }
}
