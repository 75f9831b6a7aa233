import { describe, expect, test } from '@jest/globals'
import { utils } from 'tronweb'
import { balanceOf, newAccount, trx } from '../../../test/devnets/tron/harness.ts'
import { builder, hexOf, one, tronSuite } from '../../../test/support/tronSuite.ts'
import { Secret } from '../../platform/secrets.ts'
import type { Call, CallsSpec, Flow } from '../action.ts'
import { createProviders } from '../providers/providers.ts'
import { openRest, type Rest } from '../providers/rest.ts'
import { readPrices } from './fees.ts'
import { planCall } from './planCall.ts'

const { suite, mine, usdt, outcomeOf, shareKeys } = tronSuite()

/** A call as tronweb encodes it. */
function callOf(
  contract: string,
  method: string,
  args: readonly { type: string; value: unknown }[],
  value = 0n,
): Call {
  const encoded = utils.abi.encodeParams(
    args.map(({ type }) => type),
    args.map((each) => each.value),
  )
  const data = utils.ethersUtils.id(method).slice(2, 10) + encoded.replace(/^0x/, '')
  return { to: hexOf(contract), data, value, accounts: [] }
}
const actionOf = (call: Call, spends: readonly Flow[] = []): CallsSpec => ({
  kind: 'calls',
  from: suite.payer.hex,
  calls: [call],
  cosigners: [],
  spends,
  receives: [],
  gasPrice: null,
  gasLimit: null,
})
const spend = (amount: bigint, token: Flow['token'] = null): Flow => ({
  address: suite.payer.hex,
  token,
  amount,
})
const approve = (spender: string, amount: bigint) =>
  callOf(suite.devnet.usdt, 'approve(address,uint256)', [
    { type: 'address', value: spender },
    { type: 'uint256', value: String(amount) },
  ])
const forward = (to: string, value: bigint) =>
  callOf(suite.devnet.forwarder, 'pay(address)', [{ type: 'address', value: to }], value)

async function carryOut(action: CallsSpec) {
  const plan = await suite.tron.sender.plan(action)
  const transaction = builder.sign(action, plan.terms, null, [new Secret(suite.payer.key)])
  expect(await suite.tron.sender.broadcast(transaction)).toEqual({ status: 'accepted', message: null })
  await mine()
  const outcome = await outcomeOf(transaction)
  if (outcome.status !== 'included') throw new Error(`it is ${outcome.status}`)
  return { plan, outcome }
}

describe('a call', () => {
  test('is carried out at the expected fee', async () => {
    const spender = newAccount()
    const { plan, outcome } = await carryOut(actionOf(approve(spender.address, 7n)))
    expect(plan).toMatchObject({ otherCosts: 0n, shortages: [] })
    expect(plan.fee.max).toBeGreaterThan(plan.fee.expected)
    expect(builder.maxFee(plan.terms)).toBe(plan.fee.max)
    expect(outcome).toMatchObject({ succeeded: true, fee: plan.fee.expected })
    expect(await balanceOf(suite.network.url, suite.payer.address)).toBe(
      100 * trx - Number(plan.fee.expected),
    )
    const taken = callOf(suite.devnet.usdt, 'transferFrom(address,address,uint256)', [
      { type: 'address', value: suite.payer.address },
      { type: 'address', value: spender.address },
      { type: 'uint256', value: '8' },
    ])
    // The allowance is 7.
    await expect(suite.tron.sender.plan({ ...actionOf(taken), from: spender.hex })).rejects.toMatchObject({
      reason: 'simulation_failed',
    })
  })

  test('sends its value along, and is simulated with it', async () => {
    const to = newAccount()
    const action = actionOf(forward(to.address, 3n * one), [spend(3n * one)])
    const { plan, outcome } = await carryOut(action)
    expect(outcome).toMatchObject({ succeeded: true })
    expect(await balanceOf(suite.network.url, to.address)).toBe(3 * trx)
    expect(await balanceOf(suite.network.url, suite.payer.address)).toBe(97 * trx - Number(plan.fee.expected))
    const without = await suite.tron.sender.plan(actionOf(forward(to.address, 0n)))
    expect(plan.fee.expected).toBeGreaterThan(without.fee.expected)
  })

  test('planned twice is two transactions', async () => {
    const action = actionOf(approve(newAccount().address, 1n))
    const sign = async () =>
      builder.sign(action, (await suite.tron.sender.plan(action)).terms, null, [new Secret(suite.payer.key)])
        .txId
    expect(new Set(await Promise.all(Array.from({ length: 5 }, sign))).size).toBe(5)
  })
})

describe('a plan', () => {
  test('is refused with the contract’s reason if the call would fail', async () => {
    const tooMuch = callOf(suite.devnet.usdt, 'transfer(address,uint256)', [
      { type: 'address', value: newAccount().address },
      { type: 'uint256', value: String(51n * one) },
    ])
    const refused = {
      reason: 'simulation_failed',
      message: expect.stringMatching(/^the call would fail: \w/),
    }
    await expect(suite.tron.sender.plan(actionOf(tooMuch))).rejects.toMatchObject(refused)
    const missing = actionOf({ ...approve(newAccount().address, 1n), to: newAccount().hex })
    await expect(suite.tron.sender.plan(missing)).rejects.toMatchObject({
      ...refused,
      message: 'the call would fail: there is no such contract',
    })
  })

  test('is refused if the sender’s account needs other keys, or if the energy costs more than a transaction may pay', async () => {
    const action = actionOf(approve(newAccount().address, 1n))
    const providers = createProviders([(gate) => openRest(suite.devnet.rpcUrl, 20_000, gate, 'node')], {
      observe: { called: () => {}, refused: () => {} },
    })
    const prices = async (rest: Rest) => ({ ...(await readPrices(rest)), maxFeeLimit: 1_000_000n })
    await expect(planCall({ providers, chain: suite.tron.chain, prices }, action)).rejects.toMatchObject({
      message: expect.stringContaining('energy'),
    })
    await providers.close()
    await shareKeys()
    await expect(suite.tron.sender.plan(action)).rejects.toMatchObject({
      message: expect.stringContaining('other keys'),
    })
  })

  test('is refused for a batch, and for cosigners', async () => {
    const action = actionOf(approve(newAccount().address, 1n))
    const refused = { reason: 'unsupported_action' }
    await expect(
      suite.tron.sender.plan({ ...action, calls: [...action.calls, ...action.calls] }),
    ).rejects.toMatchObject(refused)
    await expect(suite.tron.sender.plan({ ...action, cosigners: [newAccount().hex] })).rejects.toMatchObject(
      refused,
    )
  })

  test('has the shortages of all stated spends of a token together, and of TRX', async () => {
    const spends = [spend(50n * one, usdt()), spend(1n, usdt())]
    const { shortages, fee } = await suite.tron.sender.plan(
      actionOf(approve(newAccount().address, 1n), spends),
    )
    expect(shortages).toEqual([
      { kind: 'token', symbol: 'USDT', decimals: 6, required: 50n * one + 1n, available: 50n * one },
    ])
    expect(fee.expected).toBe(13_000_000n)
    const rich = await suite.tron.sender.plan(
      actionOf(forward(newAccount().address, 101n * one), [spend(101n * one)]),
    )
    expect(rich.shortages).toEqual([
      { kind: 'native', symbol: 'TRX', decimals: 6, required: expect.any(BigInt), available: 100n * one },
    ])
  })

  test('is refused if a spent token returns no balance', async () => {
    const token = { ...usdt(), contract: hexOf(suite.devnet.forwarder) }
    const action = actionOf(approve(newAccount().address, 1n), [spend(1n, token)])
    await expect(suite.tron.sender.plan(action)).rejects.toMatchObject({
      reason: 'simulation_failed',
      message: expect.stringContaining('no balance'),
    })
  })
})
