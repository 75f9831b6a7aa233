import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { intentOf } from '../../test/support/evmIntents.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { giveBalance } from '../../test/support/madePayout.ts'
import { transfers } from '../../test/support/purposes.ts'
import { makeWallet } from '../../test/support/waitingTransfer.ts'
import { usdcOf } from '../bridge/burnOf.ts'
import { bridge } from '../bridge/capability.ts'
import { bridgeActions } from '../chains/bridgeActions.ts'
import { knownChain, registeredChain } from '../chains/registry.ts'
import { newId } from '../platform/ids.ts'
import { coinPrices } from '../pricing/coinPrices.ts'
import type { Taken } from '../pricing/dollars.ts'
import { exceededLimit, requireWithinPayoutLimits } from '../spendingLimits/requireWithinPayoutLimits.ts'
import { insertIntent } from '../txmgr/intents.ts'
import { storeOutflow } from './storeOutflow.ts'

/** Native coin in the limits of payouts: 2500 dollars for 1 ETH, and no price of POL. */

const ctx = { coinUsd: coinPrices('ETH=2500') }
const usdc = (amount: number): Taken => ({
  chain: 'ethereum',
  token: 'USDC',
  amount: BigInt(amount * 1_000_000),
})
const ether = (amount: number): Taken => ({
  chain: 'ethereum',
  token: 'ETH',
  amount: BigInt(Math.round(amount * 1000)) * 10n ** 15n,
})
const [pol, lessPol]: Taken[] = [10n ** 18n, 1n].map((amount) => ({
  chain: 'polygon',
  token: 'POL',
  amount,
})) as [Taken, Taken]

let database: TestDatabase
let businessId: string

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = newId()
  await insertBusiness(database.db, businessId, 'one')
  for (const taken of [usdc(100_000), ether(100), { ...pol, amount: 100n * pol.amount }])
    await giveBalance(database.db, businessId, taken, taken.amount)
})

const setLimits = (limits: Record<string, string>) =>
  database.db.query(
    `insert into payout_settings (business_id, cooling_off_hours, limits) values ($1, 24, $2)
     on conflict (business_id) do update set limits = excluded.limits`,
    [
      businessId,
      JSON.stringify(
        Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, { value, next: null }])),
      ),
    ],
  )

/** Requests a refund, as the api does. @returns whether it needs an approval, or the limit that it exceeds */
const ask = (taken: Taken): Promise<boolean | string> =>
  database.db
    .tx(async (tx) => {
      const { approval } = await requireWithinPayoutLimits(ctx, tx, businessId, taken)
      const wallet = { ...taken, address: `0x${'34'.repeat(20)}`, memo: null }
      const refund = {
        kind: 'refund',
        businessId,
        status: 'pending',
        ...taken,
        wallet,
        bank: null,
        needsApproval: approval,
      } as const
      await storeOutflow({ madeBy: 'api', prover: provers.api }, tx, refund)
      return approval
    })
    .catch((error) => /\(max\w+\)$/.exec(error.message)?.[0] ?? Promise.reject(error))

test('native coin counts by its price: at once, within a day, and for the approval', async () => {
  await setLimits({ maxPerPayout: '2500', maxPerDay: '4000', approvalAbove: '1000' })
  expect(await ask(ether(1.001))).toBe('(maxPerPayout)')
  expect([await ask(ether(0.4)), await ask(ether(0.5))]).toEqual([false, true])
  expect([await ask(usdc(1751)), await ask(ether(0.701)), await ask(ether(0.7))]).toEqual([
    '(maxPerDay)',
    '(maxPerDay)',
    true,
  ])
})

test.each(['maxPerPayout', 'maxPerDay', 'approvalAbove'])(
  'without a price native coin of any amount needs an approval where %s is set',
  async (name) => {
    expect(await ask(pol)).toBe(false)
    await setLimits({ [name]: '1000000' })
    expect([await ask(pol), await ask(lessPol)]).toEqual([true, true])
    expect(await ask(usdc(1))).toBe(name === 'maxPerDay')
  },
)

test('while native coin without a price counts, others need an approval under a limit of a day; automatic payouts go on', async () => {
  await setLimits({ maxPerDay: '100' })
  expect(await ask(usdc(10))).toBe(false)
  expect(await ask(pol)).toBe(true)
  expect([await ask(usdc(10)), await ask(usdc(81))]).toEqual([true, '(maxPerDay)'])
  const automatic = (amount: number) =>
    database.db.tx((tx) => exceededLimit(ctx, tx, businessId, usdc(amount)))
  expect([await automatic(80), (await automatic(81))?.limit]).toEqual([null, 'maxPerDay'])
  await database.db.query(
    "update outflows set status = 'cancelled', next_at = null where business_id = $1 and token = 'POL'",
    [businessId],
  )
  expect(await ask(usdc(10))).toBe(false)
})

test('many small ones do not pass under the amount: those of a day without an approval count together', async () => {
  await setLimits({ approvalAbove: '100' })
  expect([
    await ask(usdc(60)),
    await ask(usdc(41)),
    await ask(ether(0.016)),
    await ask(ether(0.001)),
  ]).toEqual([false, true, false, true])
  // What was approved does not count, nor what failed.
  expect(await ask(usdc(0.5))).toBe(true)
  await database.db.query(
    "update outflows set status = 'failed', next_at = null where business_id = $1 and amount = 60000000",
    [businessId],
  )
  expect([await ask(usdc(60)), await ask(usdc(1))]).toEqual([false, true])
  await database.db.query(
    "update outflows set counted_at = now() - interval '25 hours' where business_id = $1",
    [businessId],
  )
  expect(await ask(usdc(1))).toBe(true)
  await database.db.query(
    "update outflows set status = 'completed', next_at = null, completed_at = counted_at where business_id = $1",
    [businessId],
  )
  expect([await ask(usdc(100)), await ask(usdc(1))]).toEqual([false, true])
})

test('transfers from stored wallets count with them', async () => {
  await setLimits({ approvalAbove: '100' })
  const walletId = await makeWallet(database.db, businessId)
  const send = async (amount: bigint, more: object = {}) => {
    const contract = knownChain('ethereum')?.tokens.find(({ symbol }) => symbol === 'USDC')?.contract ?? ''
    const action = {
      ...intentOf({ from: `0x${'12'.repeat(20)}`, to: `0x${'34'.repeat(20)}`, amount }),
      token: { contract, symbol: 'USDC', decimals: 6 },
    }
    const wanted = {
      id: newId(),
      businessId,
      purpose: 'transfer',
      chain: 'ethereum',
      signer: 'wallet',
      walletId,
      symbol: 'USDC',
      decimals: 6,
      action,
    } as const
    await database.db.tx((tx) =>
      insertIntent(transfers, tx, { ...wanted, askedBy: null, ...more } as never, 0, provers.api),
    )
  }
  await send(60_000_000n)
  await send(500_000_000n, { needsApproval: true })
  expect([await ask(usdc(40)), await ask(usdc(1))]).toEqual([false, true])
})

test('bridge transfers from stored wallets count with them', async () => {
  await setLimits({ approvalAbove: '100' })
  const walletId = await makeWallet(database.db, businessId)
  const chain = registeredChain('ethereum')
  const [actions, token] = [await bridgeActions(chain), usdcOf(chain)]
  if (!actions || !token) throw new Error('ethereum has a bridge')
  const burn = async (amount: bigint, more: object = {}) => {
    const word = actions.wordOf(`0x${'34'.repeat(20)}`)
    const of = {
      from: `0x${'12'.repeat(20)}`,
      token,
      amount,
      destinationDomain: 6,
      mintRecipient: word,
      maxFee: 0n,
      speed: 'standard',
      hook: '0x',
    } as const
    const common = {
      businessId,
      purpose: 'bridge-burn',
      chain: 'ethereum',
      signer: 'wallet',
      walletId,
      symbol: null,
      decimals: null,
    } as const
    const wanted = { ...common, id: newId(), action: actions.burn(of), askedBy: null, ...more }
    await database.db.tx((tx) =>
      insertIntent({ purposes: bridge.intents ?? [] }, tx, wanted as never, 0, provers.api),
    )
  }
  await burn(60_000_000n)
  await burn(500_000_000n, { needsApproval: true })
  expect([await ask(usdc(40)), await ask(usdc(1))]).toEqual([false, true])
})
