import { setTimeout as delay } from 'node:timers/promises'
import type { Family } from '../../src/chains/chain.ts'
import { addressCodec } from '../../src/chains/codecs.ts'
import { registeredChain } from '../../src/chains/registry.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { parseUnits } from '../../src/money/amount.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { payOnEvm } from '../../test/devnets/customers/evm.ts'
import { payOnSolana } from '../../test/devnets/customers/solana.ts'
import type { EvmChainName } from '../../test/devnets/evm.ts'
import { bookOpening } from './bookOpening.ts'
import type { DevDevnet } from './devnets.ts'
import { coinAmounts, sendCoin } from './fundTreasury.ts'

const description = 'Held by the platform. Rewards are paid with the withdrawal.'
const usdc = {
  name: 'USDC, 30 days',
  description,
  type: 'pooled',
  token: 'USDC',
  apy: '5.5',
  lockDays: 30,
  penaltyPercent: '2',
} as const
const limits = { min: '10', max: '50000', decimals: 6 }
const plans = [
  { ...usdc, ...limits, chain: 'ethereum' },
  { ...usdc, ...limits, chain: 'solana' },
  {
    name: 'SOL, native',
    description:
      'Delegated to the validator of your choice, from your own wallet. The chain pays the rewards.',
    type: 'native',
    chain: 'solana',
    token: 'SOL',
    apy: '6.5',
    lockDays: 0,
    penaltyPercent: '0',
    min: '1',
    max: '100000',
    decimals: 9,
  },
] as const

/** Plans on ethereum and solana, where the database has no plan yet. */
export async function seedPlans(db: Db): Promise<void> {
  if ((await db.query('select 1 from staking_plans limit 1')).length > 0) return
  for (const {
    name,
    description: text,
    type,
    chain,
    token,
    apy,
    lockDays,
    penaltyPercent,
    min,
    max,
    decimals,
  } of plans)
    await db.query(
      `insert into staking_plans (id, name, description, type, chain, token, apy, lock_days, penalty_percent, min_amount, max_amount)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        newId(),
        name,
        text,
        type,
        chain,
        token,
        apy,
        lockDays,
        penaltyPercent,
        String(parseUnits(min, decimals)),
        String(parseUnits(max, decimals)),
      ],
    )
}

/** Whole USDC. */
const rewards = '10000'

/**
 * Gives the staking address coin for fees, and USDC for rewards, and books both as the operator's. Call it
 * before indexers read the chains: they would find the money, and hold it in suspense.
 */
export async function fundStaking(db: Db, devnets: readonly DevDevnet[]): Promise<void> {
  const funded = devnets.filter(({ chain }) => chain === 'ethereum' || chain === 'solana')
  const addresses = await stakingAddresses(db)
  const openings = await Promise.all(
    funded.map(async (devnet) => {
      const { name, family, native } = registeredChain(devnet.chain)
      const address = addresses.get(family)
      if (address === undefined || family === 'stellar')
        throw new Error(`the treasury has no staking address for ${name}`)
      const shown = addressCodec(family).display(address)
      await sendCoin[family](devnet, shown)
      const { chain, published } = devnet
      const order = {
        address: shown,
        token: published.usdc ?? '',
        amount: rewards,
        decimals: published.decimals,
      }
      await (family === 'solana'
        ? payOnSolana(published, order)
        : payOnEvm(chain as EvmChainName, published, order))
      const place = `staking:${name}` as const
      return [
        {
          account: place,
          against: 'capital',
          asset: tokenAsset(name, native.symbol),
          amount: coinAmounts[family],
        },
        {
          account: place,
          against: 'rewards',
          asset: tokenAsset(name, 'USDC'),
          amount: parseUnits(rewards, published.decimals) ?? 0n,
        },
      ] as const
    }),
  )
  // Two blocks of a second: the newest one is read.
  await delay(2500)
  await bookOpening(db, openings.flat())
}

/** The treasury's process writes them when it starts. */
async function stakingAddresses(db: Db): Promise<Map<Family, string>> {
  const rows = await db.query<{ family: Family; address: string }>(
    'select family, address from staking_addresses',
  )
  return new Map(rows.map(({ family, address }) => [family, address]))
}
