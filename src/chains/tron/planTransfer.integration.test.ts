import { describe, expect, test } from '@jest/globals'
import { call, funded, newAccount, payUsdt, trx } from '../../../test/devnets/tron/harness.ts'
import { hexOf, one, tronSuite } from '../../../test/support/tronSuite.ts'
import type { TransferSpec } from '../action.ts'
import { ActionRefusedError } from '../sending.ts'

const { suite, usdt, intentOf, signed, shareKeys } = tronSuite()

async function refusal(
  transfer: TransferSpec,
): Promise<{ reason: string; field: string | null; message: string }> {
  const error: unknown = await suite.tron.sender.plan(transfer).then(
    () => null,
    (thrown) => thrown,
  )
  if (!(error instanceof ActionRefusedError)) throw new Error(`not refused: ${String(error)}`)
  return { reason: error.reason, field: error.field, message: error.message }
}

describe('a plan', () => {
  test.each<[string, () => Partial<TransferSpec>, object]>([
    [
      'the zero address',
      () => ({ to: `41${'0'.repeat(40)}` }),
      { reason: 'recipient_without_key', field: 'toAddress' },
    ],
    [
      "the token's own contract",
      () => ({ to: usdt().contract, token: usdt() }),
      { reason: 'recipient_is_token', field: 'toAddress' },
    ],
    [
      'the contract of a configured token',
      () => ({ to: usdt().contract }),
      { reason: 'recipient_is_token', field: 'toAddress' },
    ],
    [
      'the contract of an unknown token',
      () => ({ to: hexOf(suite.devnet.fakeUsdt), token: usdt() }),
      { reason: 'recipient_is_token', field: 'toAddress' },
    ],
    [
      'TRX to a contract',
      () => ({ to: hexOf(suite.devnet.forwarder) }),
      { reason: 'simulation_failed', field: 'toAddress' },
    ],
    [
      'TRX to the sender itself',
      () => ({ to: suite.payer.hex }),
      { reason: 'simulation_failed', field: 'toAddress' },
    ],
    [
      'a token without a contract',
      () => ({ token: { ...usdt(), contract: newAccount().hex } }),
      { reason: 'simulation_failed', field: 'token' },
    ],
    [
      'a contract that is not a token',
      () => ({ token: { ...usdt(), contract: hexOf(suite.devnet.forwarder) } }),
      { reason: 'simulation_failed', field: 'token' },
    ],
  ])('for %s is refused', async (_what, more, expected) => {
    expect(await refusal(intentOf(more()))).toMatchObject(expected)
  })

  test('of a token for a contract that is not a token is made', async () => {
    expect(
      await suite.tron.sender.plan(intentOf({ to: hexOf(suite.devnet.batch), token: usdt() })),
    ).toMatchObject({ shortages: [] })
  })

  test('of a sender whom the token blocks is refused with the simulation’s error', async () => {
    await call(suite.network, suite.network.key, {
      contract: suite.devnet.usdt,
      method: 'addBlackList(address)',
      args: [{ type: 'address', value: suite.payer.address }],
    })
    expect(await refusal(intentOf({ token: usdt() }))).toEqual({
      reason: 'simulation_failed',
      field: null,
      message: 'the token refuses the transfer: REVERT opcode executed',
    })
  })

  test('of a token that keeps a part of each transfer is refused with that amount', async () => {
    // TetherToken: hundredths of a per cent, and the maximum in whole tokens.
    const setFee = (...args: [string, string]) =>
      call(suite.network, suite.network.key, {
        contract: suite.devnet.usdt,
        method: 'setParams(uint256,uint256)',
        args: args.map((value) => ({ type: 'uint256', value })),
      })
    await setFee('10', '20')
    expect(await refusal(intentOf({ token: usdt(), amount: 40n * one }))).toEqual({
      reason: 'token_takes_fee',
      field: 'token',
      message: 'The token would keep 0.04 of 40 USDT: its fee for transfers is switched on',
    })
    await setFee('0', '0')
    expect((await suite.tron.sender.plan(intentOf({ token: usdt(), amount: 40n * one }))).shortages).toEqual(
      [],
    )
  })

  test('of an account with shared keys is refused', async () => {
    await shareKeys()
    expect(await refusal(intentOf())).toMatchObject({ reason: 'simulation_failed' })
  })

  test('has the exact shortage of TRX', async () => {
    const to = (await funded(suite.network, trx)).hex
    const native = { kind: 'native', symbol: 'TRX', decimals: 6, available: 100n * one }
    expect((await suite.tron.sender.plan(intentOf({ to, amount: 100n * one }))).shortages).toEqual([])
    expect((await suite.tron.sender.plan(intentOf({ to, amount: 100n * one + 1n }))).shortages).toEqual([
      { ...native, required: 100n * one + 1n },
    ])
    // Opening a new account costs more.
    expect((await suite.tron.sender.plan(intentOf({ amount: 98_900_000n }))).shortages).toEqual([])
    expect((await suite.tron.sender.plan(intentOf({ amount: 98_900_001n }))).shortages).toEqual([
      { ...native, required: 100n * one + 1n },
    ])
    const absurd = 2n ** 63n
    expect((await suite.tron.sender.plan(intentOf({ to, amount: absurd }))).shortages).toEqual([
      { ...native, required: absurd },
    ])
  })

  test('has the shortage of the token, with a typical fee', async () => {
    const { shortages, fee } = await suite.tron.sender.plan(
      intentOf({ token: usdt(), amount: 50n * one + 1n }),
    )
    expect(shortages).toEqual([
      { kind: 'token', symbol: 'USDT', decimals: 6, required: 50n * one + 1n, available: 50n * one },
    ])
    // 130,000 units of energy at 100 sun: the recipient holds no tokens yet.
    expect(fee.expected).toBe(13_000_000n)
    const { hex: to } = suite.payer
    expect(
      (await suite.tron.sender.plan(intentOf({ to, token: usdt(), amount: 2n ** 256n }))).fee.expected,
    ).toBe(6_500_000n)
  })

  test('of a sender with the token and without an account has a shortage of TRX', async () => {
    const holder = newAccount()
    await payUsdt(suite.network, suite.network.key, holder.address, 5n * one)
    const { shortages } = await suite.tron.sender.plan(intentOf({ from: holder.hex, token: usdt() }))
    expect(shortages).toEqual([
      { kind: 'native', symbol: 'TRX', decimals: 6, required: expect.any(BigInt), available: 0n },
    ])
  })

  test('made several times for one transfer gives distinct transactions', async () => {
    const transfer = intentOf()
    const ids = new Set(
      (await Promise.all(Array.from({ length: 5 }, () => signed(transfer)))).map(({ txId }) => txId),
    )
    expect(ids.size).toBe(5)
  })
})
