import { describe, expect, test } from '@jest/globals'
import {
  ask,
  balanceOf,
  call,
  client,
  funded,
  newAccount,
  pay,
  trx,
  usdtOf,
} from '../../../test/devnets/tron/harness.ts'
import { builder, one, tronSuite } from '../../../test/support/tronSuite.ts'
import { ProviderError } from '../chain.ts'
import type { SignedTransaction, Terms } from '../sending.ts'

const { suite, mine, usdt, intentOf, sign, outcomeOf, carryOut } = tronSuite()

/** Calls the devnet's USDT as its owner. */
const owned = (method: string, type: string, value: unknown) =>
  call(suite.network, suite.network.key, { contract: suite.devnet.usdt, method, args: [{ type, value }] })

describe('a transfer of TRX', () => {
  test('moves exactly the amount, and is free with free bandwidth', async () => {
    const to = await funded(suite.network, trx)
    const { plan, outcome, transaction } = await carryOut(intentOf({ to: to.hex }))
    expect(plan).toMatchObject({ fee: { expected: 0n }, otherCosts: 0n, shortages: [] })
    expect(outcome).toMatchObject({
      txId: transaction.txId,
      succeeded: true,
      reason: null,
      standing: 'seen',
      fee: 0n,
      gasUsed: null,
    })
    expect([
      await balanceOf(suite.network.url, suite.payer.address),
      await balanceOf(suite.network.url, to.address),
    ]).toEqual([95 * trx, 6 * trx])
  })

  test('without bandwidth burns exactly the expected fee, which is also the maximum', async () => {
    const to = await funded(suite.network, trx)
    for (let i = 0; i < 2; i++) await pay(suite.network, suite.payer.key, to.address, 1)
    const before = await balanceOf(suite.network.url, suite.payer.address)
    const { plan, outcome } = await carryOut(intentOf({ to: to.hex }))
    expect(plan.fee.expected).toBeGreaterThan(0n)
    expect([outcome.fee, plan.fee.max, builder.maxFee(plan.terms)]).toEqual([
      plan.fee.expected,
      plan.fee.expected,
      plan.fee.expected,
    ])
    expect(before - (await balanceOf(suite.network.url, suite.payer.address))).toBe(
      5 * trx + Number(plan.fee.expected),
    )
  })

  test('to a new account also pays for opening it', async () => {
    const to = newAccount()
    const { plan, outcome } = await carryOut(intentOf({ to: to.hex }))
    expect(plan).toMatchObject({ otherCosts: 1_100_000n, fee: { expected: 0n, max: 0n } })
    expect(builder.maxFee(plan.terms)).toBe(1_100_000n)
    expect([outcome.succeeded, outcome.fee]).toEqual([true, 1_100_000n])
    expect([
      await balanceOf(suite.network.url, suite.payer.address),
      await balanceOf(suite.network.url, to.address),
    ]).toEqual([93.9 * trx, 5 * trx])
  })
})

describe('a transfer of USDT', () => {
  test('to an address without an account moves exactly the amount, opens no account, and burns the expected fee', async () => {
    const to = newAccount()
    const { plan, outcome } = await carryOut(intentOf({ to: to.hex, token: usdt(), amount: 7n }))
    expect(outcome).toMatchObject({ succeeded: true, fee: plan.fee.expected })
    expect(plan.otherCosts).toBe(0n)
    expect(plan.fee.max).toBeGreaterThan(plan.fee.expected)
    expect([
      await usdtOf(suite.network.url, suite.devnet.usdt, to.address),
      await usdtOf(suite.network.url, suite.devnet.usdt, suite.payer.address),
    ]).toEqual([7n, 50n * one - 7n])
    expect(await ask(suite.network.url, 'getaccount', { address: to.hex })).toEqual({})
    expect(await balanceOf(suite.network.url, suite.payer.address)).toBe(
      100 * trx - Number(plan.fee.expected),
    )
  })

  test('with staked energy and free bandwidth burns nothing and needs no TRX', async () => {
    const tronWeb = client(suite.network.url, suite.payer.key)
    await pay(suite.network, suite.network.key, suite.payer.address, 9_900 * trx)
    const stake = await tronWeb.transactionBuilder.freezeBalanceV2(
      10_000 * trx,
      'ENERGY',
      suite.payer.address,
    )
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(stake))
    await mine()
    const { plan, outcome } = await carryOut(intentOf({ token: usdt() }))
    expect(plan).toMatchObject({ fee: { expected: 0n }, shortages: [] })
    expect(plan.fee.max).toBeGreaterThan(0n)
    expect(outcome).toMatchObject({ succeeded: true, fee: 0n })
    expect(await balanceOf(suite.network.url, suite.payer.address)).toBe(0)
  })

  test('fails in its block and costs a fee if the token was paused meanwhile', async () => {
    const transfer = intentOf({ token: usdt() })
    const plan = await suite.tron.sender.plan(transfer)
    await owned('pause(bool)', 'bool', true)
    try {
      const transaction = sign(transfer, plan.terms)
      expect((await suite.tron.sender.broadcast(transaction)).status).toBe('accepted')
      await mine()
      const outcome = await outcomeOf(transaction)
      expect(outcome).toMatchObject({
        status: 'included',
        succeeded: false,
        reason: 'REVERT opcode executed',
      })
      expect(outcome.status === 'included' && (outcome.fee ?? 0n) > 0n).toBe(true)
      expect(await usdtOf(suite.network.url, suite.devnet.usdt, suite.payer.address)).toBe(50n * one)
      await expect(suite.tron.sender.plan(transfer)).rejects.toMatchObject({
        reason: 'simulation_failed',
        field: null,
      })
    } finally {
      await owned('pause(bool)', 'bool', false)
    }
  })

  test('with a low limit fails for lack of energy, and burns at most the limit', async () => {
    const transfer = intentOf({ token: usdt() })
    const { terms } = await suite.tron.sender.plan(transfer)
    const transaction = sign(transfer, { ...terms, feeLimit: '500000' })
    await suite.tron.sender.broadcast(transaction)
    await mine()
    const outcome = await outcomeOf(transaction)
    expect(outcome).toMatchObject({
      status: 'included',
      succeeded: false,
      reason: expect.stringMatching(/energy/),
    })
    expect(outcome.status === 'included' && (outcome.fee ?? 0n) <= 500_000n).toBe(true)
  })
})

describe('a broadcast', () => {
  test('of the same bytes again is accepted, before and after their block, and moves the money once', async () => {
    const to = await funded(suite.network, trx)
    const { transaction } = await carryOut(intentOf({ to: to.hex }))
    expect((await suite.tron.sender.broadcast(transaction)).status).toBe('accepted')
    await mine()
    expect(await balanceOf(suite.network.url, to.address)).toBe(6 * trx)
  })

  test.each<[string, (terms: Terms) => SignedTransaction, string]>([
    [
      'that refers to a removed block',
      (terms) => sign(intentOf(), { ...terms, refBlockHash: '00'.repeat(8) }),
      'refused',
    ],
    [
      'after its expiration',
      (terms) => sign(intentOf(), { ...terms, expiration: 1_700_000_000_000 }),
      'expired',
    ],
    ['of more than the balance', (terms) => sign(intentOf({ amount: 1000n * one }), terms), 'refused'],
    ['with a signature of another key', (terms) => withOtherSignature(sign(intentOf(), terms)), 'refused'],
  ])('%s has the node’s message', async (_what, make, status) => {
    const answer = await suite.tron.sender.broadcast(make((await suite.tron.sender.plan(intentOf())).terms))
    expect(answer).toEqual({ status, message: expect.stringMatching(/\w{4}/) })
    expect(answer.message).not.toMatch(/[0-9a-f]{100}/i)
  })

  test('of malformed bytes is a provider error', async () => {
    const broken = { txId: '', bytes: new Uint8Array([1, 2, 3]), expiry: null }
    await expect(suite.tron.sender.broadcast(broken)).rejects.toThrow(ProviderError)
  })
})

/** The bytes with an invalid signature. */
function withOtherSignature({ bytes, ...more }: SignedTransaction): SignedTransaction {
  const changed = Uint8Array.from(bytes)
  const last = changed.length - 2
  changed[last] = (changed[last] ?? 0) ^ 1
  return { ...more, bytes: changed }
}
