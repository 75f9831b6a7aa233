import { intentPurposes } from '../../../src/capabilities.ts'
import { configuredChains } from '../../../src/chains/configuration.ts'
import { type Asset, assetsOf, type ConfiguredChain } from '../../../src/chains/registry.ts'
import type { Outcome } from '../../../src/chains/sending.ts'
import type { PlatformAddresses } from '../../../src/custody/platformAddresses.ts'
import type { Db } from '../../../src/platform/database/db.ts'
import { createLog } from '../../../src/platform/telemetry/log.ts'
import type { StakingContext } from '../../../src/staking/context.ts'
import { publishStakingAddresses } from '../../../src/staking/stakingAddress.ts'
import type { UnstakeContext } from '../../../src/staking/unstake.ts'
import type { TreasuryFacts } from '../../../src/txmgr/intents.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { proofs, provers } from '../../support/intentKeys.ts'
import { blockIdOf } from '../../support/stakeRow.ts'

/**
 * The parts of the product that move stakes, on a real Postgres, with a chain that the histories write
 * themselves.
 */
export interface StakingWorld {
  database: TestDatabase
  ctx: StakingContext & UnstakeContext
  own: TreasuryFacts
  chain: ConfiguredChain
  usdc: { contract: string; symbol: string; decimals: number }
  /** The times of blocks, by height. */
  blocks: Map<number, Date>
  /** The chain's answer for a transaction, by hash; without one, a stake is where its row has it. */
  outcomes: Map<string, Outcome>
  /** What accounts of the books must hold, by name: added up by the histories. */
  expected: Map<string, bigint>
  /** How often something happened. */
  events: Map<string, number>
}

const stakingAddressOfTests = `0x${'55'.repeat(20)}`

export async function makeStakingWorld(): Promise<StakingWorld> {
  const database = await createTestDatabase(12)
  const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' })
  const [chain] = chains
  const usdc =
    chain &&
    assetsOf(chain).find(
      (asset): asset is Asset & { contract: string } => asset.symbol === 'USDC' && asset.contract !== null,
    )
  if (!chain || !usdc) throw new Error('ethereum has no USDC')
  const addresses: PlatformAddresses = {
    treasury: () => '',
    staking: () => stakingAddressOfTests,
    deposit: () => '',
  }
  await publishStakingAddresses(database.db, addresses, ['evm'])
  const blocks = new Map<number, Date>()
  const outcomes = new Map<string, Outcome>()
  const reader = {
    header: async (height: number) =>
      ({ id: blockIdOf(height), time: blocks.get(height) ?? new Date(0) }) as never,
  }
  const sender = {
    outcome: async (_from: string, sent: readonly { txId: string }[]) => {
      const txId = sent.at(-1)?.txId ?? ''
      return outcomes.get(txId) ?? (await stakedIn(database.db, txId)) ?? ({ status: 'absent' } as const)
    },
  }
  const log = createLog('histories', 'silent')
  const common = { db: database.db, log, purposes: intentPurposes, chains }
  return {
    database,
    ctx: {
      ...common,
      prover: provers.worker,
      reader: async () => reader,
      sender: async () => sender,
      nativeStaking: async () => null,
      fillNonce: async () => {},
      pollMs: null,
    },
    own: { addresses, chain, proofs, settings: () => ({}) as never },
    chain,
    usdc: { contract: usdc.contract, symbol: 'USDC', decimals: usdc.decimals },
    blocks,
    outcomes,
    expected: new Map(),
    events: new Map(),
  }
}

/** The chain has a stake's transaction where the transaction manager has found it. */
async function stakedIn(db: Db, txId: string): Promise<Outcome | null> {
  const [row] = await db.query<{ height: number; blockId: string }>(
    `select block_height::float8 as height, block_id as "blockId" from intents where tx_id = $1 and purpose in ('stake', 'native-stake') and status = 'confirmed'`,
    [txId],
  )
  if (!row) return null
  const { height: blockHeight, blockId } = row
  return {
    status: 'included',
    txId,
    succeeded: true,
    reason: null,
    blockHeight,
    blockId,
    standing: 'confirmed',
    fee: 0n,
    gasUsed: null,
  }
}

export const saw = ({ events }: StakingWorld, event: string) =>
  events.set(event, (events.get(event) ?? 0) + 1)
export const expect = ({ expected }: StakingWorld, account: string, amount: bigint) =>
  expected.set(account, (expected.get(account) ?? 0n) + amount)
