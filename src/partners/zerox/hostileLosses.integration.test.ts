import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, encodeFunctionData, numberToHex, parseAbi, parseUnits } from 'viem'
import { compileContracts } from '../../../test/devnets/compile.ts'
import { allowanceHolder } from '../../../test/devnets/evm.ts'
import type { ZeroXRoute } from '../../../test/partners/zeroXRoute.ts'
import { addressOf, keyOf } from '../../../test/support/evmIntents.ts'
import { openZeroX, type ZeroXOnDevnet } from '../../../test/support/zeroXSwapping.ts'
import { coinPlaceholder as coin } from '../../swaps/coins.ts'

/**
 * What hostile answers of 0x would cost: each is refused, and is then sent as a client without checks sends
 * it.
 */

const victim = addressOf(keyOf(431)) as Address
const thief = addressOf(keyOf(432)) as Address
const friend = addressOf(keyOf(433)) as Address
const units = (whole: string) => parseUnits(whole, 6)
const noToken = '0x0000000000000000000000000000000000000000'
const abi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function execute((address recipient, address buyToken, uint256 minAmountOut) slippage, bytes[] actions, bytes32 zid) payable returns (bool)',
  'function BASIC(address sellToken, uint256 bps, address pool, uint256 offset, bytes data)',
  'function TRANSFER_FROM(address recipient, ((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, bytes sig)',
  'function pull(address token, address owner, uint256 amount)',
  'function trade(address sellToken, uint256 sellAmount, address buyToken, uint256 buyAmount) payable',
  'function setMoved(uint256 bps)',
])

let on: ZeroXOnDevnet
let usdc: Address
let usdt: Address
let worthless: Address
let counterfeit: string
let before: unknown
beforeAll(async () => {
  on = await openZeroX('ethereum')
  ;[usdc, usdt, worthless] = [on.devnet.usdc, on.devnet.usdt ?? noToken, on.devnet.fakeUsdc]
  for (const account of [victim, thief]) await on.chain.fund(account, 10n ** 20n)
  const [from] = (await on.chain.call('eth_accounts')) as string[]
  const hash = await on.chain.call('eth_sendTransaction', {
    from,
    data: compileContracts().CounterfeitSettler.bytecode,
  })
  for (const token of [usdc, usdt, worthless])
    await on.chain.call('anvil_dealERC20', victim, token, numberToHex(units('1000')))
  // The sender has allowed more than its next swap sells, and another contract a token.
  await as(
    victim,
    usdt,
    encodeFunctionData({ abi, functionName: 'approve', args: [allowanceHolder, units('500')] }),
  )
  await as(
    victim,
    worthless,
    encodeFunctionData({ abi, functionName: 'approve', args: [on.devnet.pool, units('500')] }),
  )
  const receipt = (await on.chain.call('eth_getTransactionReceipt', hash)) as { contractAddress: string }
  counterfeit = receipt.contractAddress.toLowerCase()
  before = await on.chain.call('evm_snapshot')
})
afterAll(() => on.close())
afterEach(async () => {
  Object.assign(on.zeroX, { lie: null, reroute: null })
  await on.chain.call('evm_revert', before)
  before = await on.chain.call('evm_snapshot')
})

/** @returns whether it succeeded */
async function as(from: string, to: string, data: string, value = 0n): Promise<boolean> {
  await on.chain.call('anvil_impersonateAccount', from)
  const hash = await on.chain.call('eth_sendTransaction', {
    from,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(1_000_000n),
  })
  await on.chain.mine()
  const receipt = (await on.chain.call('eth_getTransactionReceipt', hash)) as { status: string }
  return receipt.status === '0x1'
}

interface Answered {
  to: string
  data: string
  value: string
}

type Sale = Parameters<ZeroXOnDevnet['prepare']>[0]
type Change = (route: ZeroXRoute) => Partial<ZeroXRoute>
const sellsUsdt = (): Sale => ({
  sellToken: usdt,
  buyToken: usdc,
  sellAmount: units('100'),
  from: victim,
  to: friend,
})
const sellsUsdc = (): Sale => ({ ...sellsUsdt(), sellToken: usdc, buyToken: usdt })
const sellsCoin = (): Sale => ({ ...sellsUsdt(), sellToken: coin, sellAmount: 10n ** 18n })

/** The hostile answer is refused for this reason. @returns its transaction */
async function refused(question: Sale, change: Change | Answered, what: string): Promise<Answered> {
  let made: Answered | undefined
  if (typeof change === 'function') on.zeroX.reroute = (route) => ({ ...route, ...change(route) })
  on.zeroX.lie = (answer) => {
    const changed =
      typeof change === 'function'
        ? answer
        : { ...answer, transaction: { ...(answer.transaction as object), ...change } }
    made = changed.transaction as Answered
    return changed
  }
  await expect(on.prepare(question)).rejects.toMatchObject({
    problem: 'unsafe_answer',
    message: expect.stringContaining(what),
  })
  if (!made) throw new Error('0x got no request')
  return made
}
const send = ({ to, data, value }: Answered) => as(victim, to, data, BigInt(value))

/** Base units of a token that each of them gets; the coin without the fees of its transactions. */
async function gains(
  token: string,
  work: () => Promise<unknown>,
): Promise<{ victim: bigint; friend: bigint; thief: bigint }> {
  const read = () => Promise.all([victim, friend, thief].map((owner) => on.balance(token, owner)))
  const had = await read()
  await work()
  const now = await read()
  const [lost = 0n, got = 0n, stolen = 0n] = now.map((each, index) => each - (had[index] ?? 0n))
  return { victim: lost, friend: got, thief: stolen }
}
const nothing = { victim: 0n, friend: 0n, thief: 0n }

const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600)
const take = (token: Address, recipient: Address, amount: bigint) =>
  encodeFunctionData({
    abi,
    functionName: 'TRANSFER_FROM',
    args: [recipient, { permitted: { token, amount }, nonce: 0n, deadline }, '0x'],
  })
const pull = (token: Address) => {
  const data = encodeFunctionData({ abi, functionName: 'pull', args: [token, victim, units('500')] })
  return encodeFunctionData({ abi, functionName: 'BASIC', args: [noToken, 0n, on.devnet.pool, 0n, data] })
}
const movePrice = () =>
  as(thief, on.devnet.pool, encodeFunctionData({ abi, functionName: 'setMoved', args: [5000n] }))
/** Anyone takes what a Settler holds. */
const sweepSettler = (token: Address) => {
  const args = [{ recipient: thief, buyToken: token, minAmountOut: 0n }, [], `0x${'0'.repeat(64)}`] as const
  return as(thief, on.devnet.settler, encodeFunctionData({ abi, functionName: 'execute', args: [...args] }))
}

describe('the sender of a token would lose', () => {
  test('all of it to another recipient', async () => {
    const answer = await refused(sellsUsdt(), () => ({ recipient: thief }), 'the recipient')
    expect(await gains(usdc, () => send(answer))).toEqual({ ...nothing, thief: units('99.7') })
    expect(await on.balance(usdt, victim)).toBe(units('900'))
  })

  test('all of it for a token that is worth nothing', async () => {
    await on.chain.call('anvil_dealERC20', on.devnet.settler, worthless, numberToHex(units('1000')))
    const answer = await refused(sellsUsdt(), () => ({ buyToken: worthless }), 'the token that is paid')
    const bought = await gains(usdc, async () => [await send(answer), await sweepSettler(usdc)])
    expect(bought).toEqual({ ...nothing, thief: units('99.7') })
    expect([await on.balance(usdt, victim), await on.balance(worthless, friend)]).toEqual([
      units('900'),
      units('1000'),
    ])
  })

  test('half of it where the price moves and the minimum is too low; with the right one nothing is sold', async () => {
    const { steps } = await on.prepare(sellsUsdt())
    const action = steps.at(-1)?.action
    const [honest] = action?.kind === 'calls' ? action.calls : []
    const answer = await refused(sellsUsdt(), () => ({ minAmountOut: 1n }), 'the minimum that is enforced')
    await movePrice()
    expect(await gains(usdt, () => as(victim, honest?.to ?? '', honest?.data ?? ''))).toEqual(nothing)
    expect(await gains(usdc, () => send(answer))).toEqual({ ...nothing, friend: units('49.85') })
    expect(await on.balance(usdt, victim)).toBe(units('900'))
  })

  test('what is allowed in excess of it, by a larger amount', async () => {
    const more: Change = ({ actions }) => ({
      amount: units('500'),
      actions: [...actions, take(usdt, thief, units('400'))],
    })
    const answer = await refused(sellsUsdt(), more, 'the amount that is taken')
    expect(await gains(usdt, () => send(answer))).toEqual({
      victim: -units('500'),
      friend: 0n,
      thief: units('400'),
    })
  })

  test('another token that is still allowed', async () => {
    const other = () => ({ token: usdt, amount: units('500'), actions: [take(usdt, thief, units('500'))] })
    const answer = await refused(
      sellsUsdc(),
      (route) => ({ ...other(), minAmountOut: route.minAmountOut }),
      'the token that is taken',
    )
    await on.chain.call('anvil_dealERC20', on.devnet.settler, usdt, numberToHex(units('100')))
    expect(await gains(usdt, () => send(answer))).toEqual({
      victim: -units('500'),
      friend: units('100'),
      thief: units('500'),
    })
  })

  test('all of it to a counterfeit Settler', async () => {
    const answer = await refused(
      sellsUsdt(),
      () => ({ operator: counterfeit, target: counterfeit }),
      'not a Settler',
    )
    expect(await gains(usdt, () => send(answer))).toEqual({ ...nothing, victim: -units('100') })
    expect([await on.balance(usdt, counterfeit), await on.balance(usdc, friend)]).toEqual([units('100'), 0n])
  })

  test('coin that is sent along', async () => {
    const answer = await refused(sellsUsdt(), () => ({ value: 10n ** 18n }), 'the value')
    const { victim: lost } = await gains(coin, () => send(answer))
    expect(lost).toBeLessThanOrEqual(-(10n ** 18n))
    const { thief: stolen } = await gains(coin, () => sweepSettler(coin))
    expect(stolen).toBeGreaterThan(99n * 10n ** 16n)
  })

  test('all of it in a transfer', async () => {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [thief, units('100')] })
    const answer = await refused(sellsUsdt(), { to: usdt, data, value: '0' }, 'the contract that is called')
    expect(await gains(usdt, () => send(answer))).toEqual({
      victim: -units('100'),
      friend: 0n,
      thief: units('100'),
    })
  })

  test('what another contract may take, by a route', async () => {
    const answer = await refused(
      sellsUsdt(),
      ({ actions }) => ({ actions: [...actions, pull(worthless)] }),
      'lose something else',
    )
    expect(await gains(worthless, () => send(answer))).toEqual({ ...nothing, victim: -units('500') })
  })
})

describe('the sender of the coin would lose', () => {
  test('all of it to another recipient', async () => {
    const answer = await refused(sellsCoin(), () => ({ recipient: thief }), 'the recipient')
    expect(await gains(usdc, () => send(answer))).toEqual({ ...nothing, thief: units('2991') })
  })

  test('all of it to a counterfeit Settler', async () => {
    const answer = await refused(sellsCoin(), () => ({ to: counterfeit, actions: [] }), 'not a Settler')
    const { victim: lost } = await gains(coin, () => send(answer))
    expect(lost).toBeLessThanOrEqual(-(10n ** 18n))
    expect([await on.balance(coin, counterfeit), await on.balance(usdc, friend)]).toEqual([10n ** 18n, 0n])
  })

  test('more of it than it sells, up to all that it has', async () => {
    // Half of the value is traded; nothing checks the other half.
    const half = encodeFunctionData({
      abi,
      functionName: 'trade',
      args: [coin, 10n ** 18n, usdc, units('2991')],
    })
    const actions = [
      encodeFunctionData({ abi, functionName: 'BASIC', args: [coin, 5000n, on.devnet.pool, 0n, half] }),
    ]
    const answer = await refused(sellsCoin(), ({ value }) => ({ value: value * 2n, actions }), 'the value')
    const { victim: lost } = await gains(coin, () => send(answer))
    expect([lost <= -2n * 10n ** 18n, await on.balance(usdc, friend)]).toEqual([true, units('2991')])
    const { thief: stolen } = await gains(coin, () => sweepSettler(coin))
    expect(stolen).toBeGreaterThan(99n * 10n ** 16n)
  })

  test('a token that is still allowed', async () => {
    const more: Change = ({ actions }) => ({
      token: usdt,
      amount: units('500'),
      actions: [...actions, take(usdt, thief, units('500'))],
    })
    const answer = await refused(sellsCoin(), more, 'a token as well as the coin')
    expect(await gains(usdt, () => send(answer))).toEqual({
      victim: -units('500'),
      friend: 0n,
      thief: units('500'),
    })
  })

  test('half of it where the price moves and the minimum is too low', async () => {
    const answer = await refused(sellsCoin(), () => ({ minAmountOut: 0n }), 'the minimum that is enforced')
    await movePrice()
    expect(await gains(usdc, () => send(answer))).toEqual({ ...nothing, friend: units('1495.5') })
  })
})
