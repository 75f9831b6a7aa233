import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, encodeFunctionData, numberToHex, parseAbi, parseUnits } from 'viem'
import { compileContracts } from '../../../test/devnets/compile.ts'
import { allowanceHolder } from '../../../test/devnets/evm.ts'
import type { ZeroXRoute } from '../../../test/partners/zeroXRoute.ts'
import { addressOf, keyOf } from '../../../test/support/evmIntents.ts'
import { openZeroX, type ZeroXOnDevnet } from '../../../test/support/zeroXSwapping.ts'
import { coinPlaceholder as coin } from '../../swaps/coins.ts'

/** Answers of 0x that would lose money. Each is refused before anything is signed. */

const victim = addressOf(keyOf(421)) as Address
const thief = addressOf(keyOf(422)) as Address
const friend = addressOf(keyOf(423))
const units = (whole: string) => parseUnits(whole, 6)
const noToken = '0x0000000000000000000000000000000000000000'
const abi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function BASIC(address sellToken, uint256 bps, address pool, uint256 offset, bytes data)',
  'function pull(address token, address owner, uint256 amount)',
  'function setPaused(bool)',
])

let on: ZeroXOnDevnet
let usdc: Address
let usdt: Address
let counterfeit: string
beforeAll(async () => {
  on = await openZeroX('ethereum')
  usdc = on.devnet.usdc
  usdt = on.devnet.usdt ?? noToken
  await on.chain.fund(victim, 10n ** 20n)
  for (const token of [usdc, usdt, on.devnet.fakeUsdc]) {
    await on.chain.call('anvil_dealERC20', victim, token, numberToHex(units('1000')))
  }
  counterfeit = await deploy('CounterfeitSettler')
  // What a failed swap left, and what the owner has allowed another contract.
  await as(
    victim,
    usdt,
    encodeFunctionData({ abi, functionName: 'approve', args: [allowanceHolder, units('500')] }),
  )
  const toPool = encodeFunctionData({ abi, functionName: 'approve', args: [on.devnet.pool, units('500')] })
  await as(victim, on.devnet.fakeUsdc, toPool)
  await as(victim, usdc, toPool)
})
afterAll(() => on.close())
afterEach(() => {
  Object.assign(on.zeroX, { lie: null, reroute: null })
})

async function as(from: string, to: string, data: string) {
  await on.chain.call('anvil_impersonateAccount', from)
  await on.chain.call('eth_sendTransaction', { from, to, data })
  await on.chain.mine()
}

async function deploy(name: 'CounterfeitSettler'): Promise<string> {
  const [from] = (await on.chain.call('eth_accounts')) as string[]
  const hash = await on.chain.call('eth_sendTransaction', { from, data: compileContracts()[name].bytecode })
  await on.chain.mine()
  const receipt = (await on.chain.call('eth_getTransactionReceipt', hash)) as { contractAddress: string }
  return receipt.contractAddress.toLowerCase()
}

const sellToken = () =>
  on.prepare({ sellToken: usdc, buyToken: usdt, sellAmount: units('100'), from: victim, to: friend })
const sellCoin = () =>
  on.prepare({ sellToken: coin, buyToken: usdc, sellAmount: 10n ** 18n, from: victim, to: friend })
const buyCoin = () =>
  on.prepare({ sellToken: usdc, buyToken: coin, sellAmount: units('300'), from: victim, to: friend })

/** Refused for this reason. */
async function isUnsafe(prepared: Promise<unknown>, what: string) {
  const error = await prepared.then(
    () => ({ problem: 'taken', message: '' }),
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ problem: 'unsafe_answer', message: expect.stringContaining(what) })
}

test('the same requests with honest answers are prepared', async () => {
  for (const prepare of [sellToken, sellCoin, buyCoin])
    expect((await prepare()).steps.length).toBeGreaterThan(0)
})

describe('a token is sold, and the transaction', () => {
  test.each<[string, (route: ZeroXRoute) => Partial<ZeroXRoute>, string]>([
    ['pays another recipient', () => ({ recipient: thief }), 'the recipient'],
    ['pays the sender in place of the recipient', () => ({ recipient: victim }), 'the recipient'],
    ['pays another token', () => ({ buyToken: on.devnet.fakeUsdc }), 'the token that is paid'],
    [
      'enforces a lower minimum',
      (route) => ({ minAmountOut: route.minAmountOut - 1n }),
      'the minimum that is enforced',
    ],
    ['enforces no minimum', () => ({ minAmountOut: 0n }), 'the minimum that is enforced'],
    [
      'enforces nothing',
      () => ({ recipient: noToken, buyToken: noToken, minAmountOut: 0n }),
      'the recipient',
    ],
    ['takes more than is sold', (route) => ({ amount: route.amount + 1n }), 'the amount that is taken'],
    ['takes all that there is', () => ({ amount: 2n ** 256n - 1n }), 'the amount that is taken'],
    ['takes another token', () => ({ token: usdt }), 'the token that is taken'],
    ['lets a counterfeit Settler take', () => ({ operator: counterfeit }), 'not a Settler'],
    ['calls a counterfeit Settler', () => ({ target: counterfeit }), 'not a Settler'],
    [
      'is all of a counterfeit Settler',
      () => ({ operator: counterfeit, target: counterfeit }),
      'not a Settler',
    ],
    ['lets an account take', () => ({ operator: thief }), 'not a Settler'],
    ['sends the coin along', () => ({ value: 1n }), 'the value'],
    ['calls a Settler itself', () => ({ to: on.devnet.settler }), 'the contract that is called'],
    ['calls a counterfeit Settler itself', () => ({ to: counterfeit }), 'the contract that is called'],
  ])('%s', async (_, change, what) => {
    on.zeroX.reroute = (route) => ({ ...route, ...change(route) })
    await isUnsafe(sellToken(), what)
  })

  test('is a transfer of the token', async () => {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [thief, units('100')] })
    on.zeroX.lie = (answer) => ({
      ...answer,
      transaction: { to: usdc, data, value: '0', gas: '1', gasPrice: '1' },
    })
    await isUnsafe(sellToken(), 'the contract that is called')
    on.zeroX.lie = (answer) => ({
      ...answer,
      transaction: { to: allowanceHolder, data, value: '0', gas: '1', gasPrice: '1' },
    })
    await isUnsafe(sellToken(), 'not one of its protocol')
  })

  test('takes, by its route, what the sender has allowed another contract', async () => {
    const pull = encodeFunctionData({
      abi,
      functionName: 'pull',
      args: [on.devnet.fakeUsdc, victim, units('500')],
    })
    const action = encodeFunctionData({
      abi,
      functionName: 'BASIC',
      args: [noToken, 0n, on.devnet.pool, 0n, pull],
    })
    on.zeroX.reroute = (route) => ({ ...route, actions: [...route.actions, action] })
    await isUnsafe(sellToken(), 'lose something else')
  })

  test('takes, by its route, more of the token that is sold', async () => {
    const pull = encodeFunctionData({ abi, functionName: 'pull', args: [usdc, victim, units('500')] })
    const action = encodeFunctionData({
      abi,
      functionName: 'BASIC',
      args: [noToken, 0n, on.devnet.pool, 0n, pull],
    })
    on.zeroX.reroute = (route) => ({ ...route, actions: [...route.actions, action] })
    await isUnsafe(sellToken(), 'lose more than is sold')
  })
})

describe('the coin is sold, and the transaction', () => {
  test.each<[string, (route: ZeroXRoute) => Partial<ZeroXRoute>, string]>([
    ['sends more than is sold', (route) => ({ value: route.value * 2n }), 'the value'],
    ['sends all that the sender has', () => ({ value: 90n * 10n ** 18n }), 'the value'],
    [
      'takes a token that is still allowed',
      () => ({ token: usdt, amount: units('500') }),
      'a token as well as the coin',
    ],
    ['calls an account', () => ({ to: thief }), 'not a Settler'],
    ['calls a counterfeit Settler itself', () => ({ to: counterfeit }), 'not a Settler'],
    ['calls a counterfeit Settler', () => ({ target: counterfeit }), 'not a Settler'],
    ['pays another recipient', () => ({ recipient: thief }), 'the recipient'],
    [
      'enforces a lower minimum',
      (route) => ({ minAmountOut: route.minAmountOut - 1n }),
      'the minimum that is enforced',
    ],
  ])('%s', async (_, change, what) => {
    on.zeroX.reroute = (route) => ({ ...route, ...change(route) })
    await isUnsafe(sellCoin(), what)
  })

  test('is the call of a Settler itself, present or previous: that is no false answer', async () => {
    for (const to of [on.devnet.settler, on.devnet.previousSettler]) {
      on.zeroX.reroute = (route) => ({ ...route, to })
      expect((await sellCoin()).steps).toHaveLength(1)
    }
  })
})

describe('the coin is bought, and', () => {
  test('a node shows that less of it arrives', async () => {
    const by = on.swappingBy(async (method, _params, truth) => {
      const answered = await truth()
      if (method !== 'eth_simulateV1') return answered
      const isArrival = ({ topics }: { topics: string[] }) => topics[2]?.endsWith(friend.slice(2))
      const [block] = answered as { calls: { logs: { topics: string[] }[] }[] }[]
      for (const call of block?.calls ?? []) call.logs = call.logs.filter((log) => !isArrival(log))
      return answered
    })
    const question = { sellToken: usdc, buyToken: coin, sellAmount: units('300'), from: victim, to: friend }
    await isUnsafe(on.prepare(question, by), 'get less than the minimum')
  })
})

test('a recipient that is a Settler or AllowanceHolder loses what it gets', async () => {
  for (const to of [on.devnet.settler, on.devnet.previousSettler, allowanceHolder]) {
    const prepared = on.prepare({
      sellToken: usdc,
      buyToken: usdt,
      sellAmount: units('100'),
      from: victim,
      to,
    })
    await expect(prepared).rejects.toMatchObject({ reason: 'recipient_without_key', field: 'toAddress' })
  }
})

describe('an answer that', () => {
  const answers = (more: object) => {
    on.zeroX.lie = (answer) => ({ ...answer, ...more })
  }
  test.each<[string, object, string]>([
    ['names another target of the allowance', { allowanceTarget: thief }, 'the target of the allowance'],
    ['names no target of the allowance', { allowanceTarget: null }, 'the target of the allowance'],
    ['names another spender', { issues: { allowance: { actual: '0', spender: thief } } }, 'the spender'],
    ['is of another token to buy', { buyToken: noToken }, 'the token to buy'],
    ['is of another amount', { sellAmount: '100000001' }, 'the amount to sell'],
    ['has a lower minimum', { minBuyAmount: '1' }, 'the minimum'],
    [
      'promises more than it enforces',
      { buyAmount: '200000000', minBuyAmount: '199000000' },
      'the minimum that is enforced',
    ],
    [
      'promises more than 2^53',
      { buyAmount: '9007199254740993', minBuyAmount: '8962163258467288' },
      'the minimum that is enforced',
    ],
  ])('%s', async (_, more, what) => {
    answers(more)
    await isUnsafe(sellToken(), what)
  })

  test.each([
    ['value', '"value":"0"}'],
    ['gas', '"gas":"288079","gasPrice":"3906000000","value"'],
  ])('has a number in place of the text of its %s is malformed', async (name, text) => {
    const number = text.replace(/"\d+"/, '9007199254740993')
    on.zeroX.rewrite = (answer) => answer.replace(text, number)
    const prepared = sellToken().finally(() => Object.assign(on.zeroX, { rewrite: null }))
    await expect(prepared).rejects.toMatchObject({
      problem: 'malformed',
      message: expect.stringContaining(`transaction.${name}`),
    })
  })

  test('promises more than a word of the EVM is malformed', async () => {
    answers({ buyAmount: String(2n ** 256n), minBuyAmount: String(2n ** 256n) })
    await expect(sellToken()).rejects.toMatchObject({
      problem: 'malformed',
      message: expect.stringContaining('buyAmount'),
    })
  })

  test('has no transaction is malformed', async () => {
    answers({ transaction: undefined })
    await expect(sellToken()).rejects.toMatchObject({ problem: 'malformed' })
  })

  test('names much gas does not make the sender pay for it', async () => {
    const honest = await sellToken()
    on.zeroX.lie = (answer) => ({
      ...answer,
      transaction: { ...(answer.transaction as object), gas: String(10n ** 30n) },
    })
    const { steps } = await sellToken()
    const [max, usual] = [steps.at(-1)?.plan.fee.max ?? 0n, honest.steps.at(-1)?.plan.fee.max ?? 0n]
    expect(max).toBeLessThan(usual * 5n)
  })
})

test('while 0x has paused its Settlers, nothing is swapped', async () => {
  const deployer = '0x00000000000004533fe15556b1e086bb1a72ceae'
  await as(victim, deployer, encodeFunctionData({ abi, functionName: 'setPaused', args: [true] }))
  await expect(sellToken()).rejects.toMatchObject({
    problem: 'provider_refused',
    message: expect.stringContaining('paused'),
  })
  await as(victim, deployer, encodeFunctionData({ abi, functionName: 'setPaused', args: [false] }))
})
