import { afterAll, beforeAll, expect } from '@jest/globals'
import { addressCodec } from '../../src/chains/codecs.ts'
import { registeredChain } from '../../src/chains/registry.ts'
import type { PlatformAccountName } from '../../src/ledger/account.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { parseUnits } from '../../src/money/amount.ts'
import { rpc } from '../devnets/evm.ts'
import { heldOn } from '../support/chainBooks.ts'
import { howMany } from '../support/full.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { decimalsOf } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import {
  newStaker,
  openStaking,
  planOn,
  sendToStaking,
  stakeIs,
  stakeOn,
  stakingAddressOf,
  tokenOn,
  unstakeOn,
  withdrawOn,
} from '../support/staking.ts'
import { compareChain, type StakingOperators, stakingOperators } from '../support/stakingOperators.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * With indexers: the operator funds rewards and fees through the API alone, and the books of the staking
 * address agree with the chain.
 */

const families = ['ethereum', 'solana', 'tron', 'stellar'] as const
type Chain = (typeof families)[number]
/** The long form has all families. */
const chains = families.slice(0, howMany(1, 4))
let stack: Stack
let operators: StakingOperators
beforeAll(async () => {
  stack = await createStack({ chains: [...chains], confirmations: 1, env: { RPC_TIMEOUT_MS: '10000' } })
  operators = await stakingOperators(stack)
}, 180_000)
afterAll(() => stack?.close())

const parallel = createParallelTests()
for (const chain of chains)
  parallel.test(
    chain,
    `${chain}: rewards that are short follow once two operators have funded them; books and chain agree`,
    () => course(chain),
    300_000,
  )

async function course(chain: Chain): Promise<void> {
  const { family, native } = registeredChain(chain)
  const token = tokenOn(chain)
  const { token: decimals } = decimalsOf(stack, chain)
  const asset = `${chain}:${token}`
  const place = (name: PlatformAccountName) => balanceOf(stack.db, { name, businessId: null, asset })
  const symbol = token === 'USDC' ? 'usdc' : 'usdt'
  const address = addressCodec(family).display(await stakingAddressOf(stack, family))
  const units = (text: string) => parseUnits(text, decimals) ?? -1n
  const secret = await openStaking(stack, chain)
  const payer = await newStaker(stack, chain)

  const coins = chain === 'tron' ? '1000' : '1'
  if (chain === 'ethereum') await stack.sendNative(address as `0x${string}`, 10n ** 18n)
  else await sendToStaking(stack, chain, secret, { native: coins })
  await operators.fund(chain, native.symbol, coins, 'capital')

  const planId = await planOn(stack, chain, { apy: '100000', lockDays: 0, penaltyPercent: '0' })
  const { body } = await stakeOn(stack, payer, planId, chain === 'solana' ? { validator: payer.address } : {})
  await stakeIs(
    stack,
    chain,
    body.id,
    ({ confirmedAt, rewards }) => confirmedAt !== null && rewards !== '0',
    120_000,
  )
  await stack.caughtUp(60_000, chain)
  await stack.idle()
  // Announced: it is not held in suspense as well.
  const held = (await operators.inSuspense(chain)).filter((each) => each.symbol === token)
  expect([held, await place(`staking:${chain}`), await place('suspense')]).toEqual([[], units('100'), 0n])

  const ended = (await unstakeOn(stack, payer, body.id)).body
  await withdrawOn(stack, chain, body.id)
  const paid = await stakeIs(stack, chain, body.id, ({ status }) => status === 'withdrawn', 120_000)
  expect([paid.rewardsPending, await heldOn(stack, chain, symbol, payer.address)]).toEqual([
    true,
    units('1000'),
  ])

  await sendToStaking(stack, chain, secret, { [token]: '50' })
  await operators.fund(chain, token, '50', 'rewards')
  // A minute passes.
  await stack.db.query('update stakes set next_at = now() where id = $1', [body.id])
  await stakeIs(stack, chain, body.id, ({ rewardsPending }) => !rewardsPending, 60_000)
  await waitFor(
    'the rewards',
    async () => {
      await stack.mine(1, chain)
      return (await heldOn(stack, chain, symbol, payer.address)) === units('1000') + units(ended.rewards)
    },
    60_000,
  )
  const left = units('50') - units(ended.rewards)
  await waitFor('the books', async () => {
    await stack.mine(1, chain)
    return (await place(`staking:${chain}`)) === left
  })
  expect(await place('rewards')).toBe(left)

  await sendToStaking(stack, chain, secret, { [token]: '7' })
  await suspenseIs(chain, units('7'))
  if (chain === 'ethereum') await forkOfPayment(units('7'))
  await agrees(chain, token)
}

/** Nothing announces 7: they are held in suspense, at the staking address. */
async function suspenseIs(chain: Chain, amount: bigint): Promise<void> {
  const asset = `${chain}:${tokenOn(chain)}`
  await waitFor(`${amount} in suspense on ${chain}`, async () => {
    await stack.mine(1, chain)
    return (await balanceOf(stack.db, { name: 'suspense', businessId: null, asset })) === amount
  })
}

/** Mined for the second time, and taken away by a fork. */
async function forkOfPayment(held: bigint): Promise<void> {
  const chain = 'ethereum'
  await stack.caughtUp(60_000, chain)
  await sendToStaking(stack, chain, '', { USDC: '3' })
  await suspenseIs(chain, held + 3_000_000n)
  const depth = await blocksSince(3_000_000n)
  await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [depth, []])
  await suspenseIs(chain, held)
  expect(await operators.inSuspense(chain, 'reverted')).toMatchObject([{ symbol: 'USDC', amount: '3' }])
}

async function blocksSince(amount: bigint): Promise<number> {
  const [row] = await stack.db.query<{ height: number }>(
    "select block_height::float8 as height from transfers where chain = 'ethereum' and token = 'USDC' and amount = $1",
    [String(amount)],
  )
  return (await stack.height()) - (row?.height ?? 0) + 1
}

/** Also of the staking address; a unit that is missing there is seen. */
async function agrees(chain: Chain, token: string): Promise<void> {
  const { family } = registeredChain(chain)
  const address = await stakingAddressOf(stack, family)
  await stack.caughtUp(60_000, chain)
  await stack.idle()
  const drift = async () => {
    await stack.mine(1, chain)
    await stack.caughtUp(60_000, chain)
    const { drift, problem } = await compareChain(stack, chain)
    expect(problem).toBeNull()
    return drift.filter((each) => each.address === address)
  }
  const place = `staking:${chain}`
  // Opening the account cost a fee, which is not in the books.
  const opening = { debit: 'network_costs', credit: place, asset: 'stellar:XLM', amount: '0.00002' }
  if (chain === 'stellar') await operators.adjust(opening)
  expect(await drift()).toEqual([])
  const { token: decimals } = decimalsOf(stack, chain)
  const unit = `0.${'1'.padStart(decimals, '0')}`
  await operators.adjust({ debit: place, credit: 'capital', asset: `${chain}:${token}`, amount: unit })
  const [row, ...more] = await drift()
  expect([row?.symbol, (row?.expected ?? 0n) - (row?.found ?? 0n), more]).toEqual([token, 1n, []])
}
