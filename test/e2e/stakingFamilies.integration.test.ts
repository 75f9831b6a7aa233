import { afterAll, beforeAll, expect } from '@jest/globals'
import { base58 } from '@scure/base'
import { createCloseAccountInstruction } from '@solana/spl-token'
import { Keypair } from '@solana/web3.js'
import { addressCodec } from '../../src/chains/codecs.ts'
import { registeredChain } from '../../src/chains/registry.ts'
import type { PlatformAccountName } from '../../src/ledger/account.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { parseUnits } from '../../src/money/amount.ts'
import { send } from '../devnets/customers/solana.ts'
import { heldOn, tokenAccountOf } from '../support/chainBooks.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { decimalsOf, fund, newPayer, type Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import {
  fundStaking,
  newStaker,
  planOn,
  stakeIs,
  stakeOf,
  stakeOn,
  tokenOn,
  unstakeOn,
  withdrawOn,
} from '../support/staking.ts'

/**
 * Pooled stakes on the other families: stake, a part back early, the rest late, both paid back, exact on
 * chain and in the books.
 */

const chains = ['solana', 'tron', 'stellar'] as const
type FamilyChain = (typeof chains)[number]
const dayMs = 86_400_000
let stack: Stack
beforeAll(async () => {
  // No indexer: the worker reads the blocks of stakes.
  stack = await createStack({
    chains: [...chains],
    processes: ['treasury', 'api', 'worker'],
    env: { RPC_TIMEOUT_MS: '10000' },
  })
}, 180_000)
afterAll(() => stack?.close())

const parallel = createParallelTests()
for (const chain of chains)
  parallel.test(
    chain,
    `${chain}: a part early, the rest late, each paid back once, exact to the unit`,
    () => course(chain),
    300_000,
  )

async function course(chain: FamilyChain): Promise<void> {
  const decimals = decimalsOf(stack, chain).token
  const unit = 10n ** BigInt(decimals)
  const units = (text: string) => parseUnits(text, decimals) ?? -1n
  const token = tokenOn(chain)
  const { family } = registeredChain(chain)
  const own = await fundStaking(stack, chain, family, { token, units: '500', base: 500n * unit })
  const address = addressCodec(family).display(own)
  const payer = await newStaker(stack, chain)
  const held = (of: string) => heldOn(stack, chain, token === 'USDC' ? 'usdc' : 'usdt', of)
  const asset = `${chain}:${token}`
  const place = (name: PlatformAccountName) => balanceOf(stack.db, { name, businessId: null, asset })
  const stakes = () => balanceOf(stack.db, { name: 'stakes', businessId: stack.businessId, asset })
  const planId = await planOn(stack, chain, {
    apy: '100000',
    lockDays: 30,
    penaltyPercent: '2.25',
    minAmount: unit,
  })
  const made = await stakeOn(stack, payer, planId, validatorOn(chain, payer))
  expect([made.status, made.body.status]).toEqual([201, 'active'])
  const { lockedUntil, createdAt } = made.body
  expect(new Date(lockedUntil).getTime()).toBe(new Date(createdAt).getTime() + 30 * dayMs)
  const confirmed = await stakeIs(
    stack,
    chain,
    made.body.id,
    ({ confirmedAt }) => confirmedAt !== null,
    120_000,
  )
  expect([await held(address), await place(`staking:${chain}`), await stakes()]).toEqual([
    600n * unit,
    600n * unit,
    100n * unit,
  ])

  await stakeIs(stack, chain, confirmed.id, ({ rewards }) => rewards !== '0')
  const part = (await unstakeOn(stack, payer, confirmed.id, { amountToUnstake: '40' })).body
  expect(part).toMatchObject({ unstakedAmount: '40', penalty: '0.9', netAmount: '39.1' })
  const rest = part.remainingStakeId ?? ''
  expect(await stakeOf(stack, rest)).toMatchObject({ status: 'active', amount: '60' })
  const last = (await unstakeOn(stack, payer, rest)).body
  expect(last).toMatchObject({ unstakedAmount: '60', penalty: '1.35', netAmount: '58.65' })
  expect(await stakes()).toBe(units('97.75') + units(part.rewards) + units(last.rewards))

  for (const id of [part.id, rest]) expect((await withdrawOn(stack, chain, id)).status).toBe(200)
  for (const id of [part.id, rest])
    await stakeIs(stack, chain, id, ({ status }) => status === 'withdrawn', 120_000)
  const rewards = units(part.rewards) + units(last.rewards)
  const paid = units('97.75') + rewards
  expect(await held(payer.address)).toBe(900n * unit + paid)
  const left = 600n * unit - paid
  expect([await held(address), await place(`staking:${chain}`), await stakes()]).toEqual([left, left, 0n])
  expect([await place('penalties'), await place('rewards')]).toEqual([units('2.25'), 500n * unit - rewards])
  await late(chain, payer, planId)
  if (chain === 'solana') await reopened(own, planId)
}

/** A second before `lockedUntil` there is a penalty, from then on no penalty. */
async function late(chain: FamilyChain, payer: Payer, planId: string): Promise<void> {
  const { body } = await stakeOn(stack, payer, planId, { amount: '10', ...validatorOn(chain, payer) })
  const { id } = await stakeIs(stack, chain, body.id, ({ confirmedAt }) => confirmedAt !== null, 120_000)
  const lockedFor = (seconds: number, of: string) =>
    stack.db.query(
      "update stakes set created_at = now() - interval '30 days' + $2 * interval '1 second' where id = $1",
      [of, seconds],
    )
  await lockedFor(30, id)
  const early = (await unstakeOn(stack, payer, id, { amountToUnstake: '4' })).body
  expect(early).toMatchObject({ penalty: '0.09', netAmount: '3.91' })
  const rest = early.remainingStakeId ?? ''
  await lockedFor(0, rest)
  expect((await unstakeOn(stack, payer, rest)).body).toMatchObject({ penalty: '0', netAmount: '6' })
}

/** A staker that has closed its token account: the payment opens it again, and its rent is in the books. */
async function reopened(address: string, planId: string): Promise<void> {
  const chain = 'solana'
  const payer = newPayer(chain)
  await fund(stack, payer, { native: '1', USDC: '10' })
  const { body } = await stakeOn(stack, payer, planId, { amount: '10', ...validatorOn(chain, payer) })
  await stakeIs(stack, chain, body.id, ({ confirmedAt }) => confirmedAt !== null, 120_000)
  const { faucetPrivateKey, rpcUrl } = stack.other(chain)
  const keys = Keypair.fromSecretKey(base58.decode(payer.privateKey))
  const close = createCloseAccountInstruction(
    tokenAccountOf(stack, 'usdc', payer.address),
    keys.publicKey,
    keys.publicKey,
  )
  await send({ rpcUrl, faucetPrivateKey }, [close], { signers: [keys] })
  await stack.mine(1, chain)
  const coins = async () => {
    const booked = await balanceOf(stack.db, {
      name: `staking:${chain}`,
      businessId: null,
      asset: 'solana:SOL',
    })
    return { held: await heldOn(stack, chain, 'native', address), booked }
  }
  const before = await coins()
  await unstakeOn(stack, payer, body.id)
  await withdrawOn(stack, chain, body.id)
  await stakeIs(stack, chain, body.id, ({ status }) => status === 'withdrawn', 120_000)
  const after = await coins()
  expect(before.held - after.held).toBeGreaterThan(2_000_000n)
  expect(before.booked - after.booked).toBe(before.held - after.held)
}

/** Required on solana; a pooled plan does not use it. */
const validatorOn = (chain: FamilyChain, { address }: Payer) =>
  chain === 'solana' ? { validator: address } : {}
