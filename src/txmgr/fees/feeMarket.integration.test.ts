import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { numberToHex } from 'viem'
import type { Change } from '../../../test/support/evmSending.ts'
import {
  refusing,
  startWalletTransfers,
  type WalletTransfers,
} from '../../../test/support/walletTransfers.ts'
import { RpcError } from '../../chains/providers/jsonRpc.ts'
import { presentTransfer } from '../../transfers/presentTransfer.ts'
import { countUnsettled } from '../dueIntents.ts'
import type { Intent } from '../intents.ts'

/**
 * Transfers of stored wallets while the price of gas rises and falls: worker and treasury on a node and a
 * database.
 */

const gwei = 10n ** 9n
const gas = 21_000n
const bumpAfterMs = 60_000
let transfers: WalletTransfers
let seen: string[]
let limit: bigint

beforeAll(async () => {
  transfers = await startWalletTransfers('base')
  limit = transfers.chain.maxFee
  transfers.ctx.bumpAfterMs = bumpAfterMs
  transfers.ctx.observe = (step) => void seen.push(step)
})
afterAll(() => transfers?.close())
beforeEach(async () => {
  transfers.reset()
  seen = []
  transfers.chain.maxFee = limit
  transfers.ctx.feeWaitMs = 3_600_000
  await transfers.node.call('anvil_dropAllTransactions')
  await baseFeeIs(gwei)
})

const baseFeeIs = (wei: bigint) => transfers.node.call('anvil_setNextBlockBaseFeePerGas', numberToHex(wei))
/** Mines a block at a base fee; the next one has the same. */
async function mineAt(wei: bigint) {
  await baseFeeIs(wei)
  await transfers.node.mine()
  await baseFeeIs(wei)
}
type Asked = Awaited<ReturnType<WalletTransfers['asked']>>

/** Lets time pass for the attempts and the wait of an intent. */
async function wait({ id }: Pick<Asked, 'id'>, ms: number): Promise<void> {
  const by = "$2 * interval '1 millisecond'"
  await transfers.db.query(
    `update intent_attempts set created_at = created_at - ${by}, signed_at = signed_at - ${by}, accepted_at = accepted_at - ${by} where intent_id = $1`,
    [id, ms],
  )
  await transfers.db.query(`update intents set fee_waits_since = fee_waits_since - ${by} where id = $1`, [
    id,
    ms,
  ])
}
/** A reconcile that may request a bump, its signature, and the reconcile that sends it. */
async function bump(one: Asked, ms = bumpAfterMs / 3): Promise<void> {
  await wait(one, ms)
  await one.reconcile()
  await one.treasury()
  await one.reconcile()
}
const prices = async (one: Asked) =>
  (await one.transactions()).map(({ terms }) => BigInt(String(terms.maxFeePerGas)))
const shown = async (one: Asked) => presentTransfer((await one.row()) as Intent)
const paidOnce = async (one: Asked) => {
  await transfers.node.mine()
  await one.reconcile()
  expect(await one.row()).toMatchObject({ status: 'confirmed', feeWaitForMs: null })
  expect(await one.count()).toBe(1n)
  expect(new Set((await one.transactions()).map(({ nonce }) => nonce))).toEqual(new Set([0n]))
}
const waitsForFee = {
  status: 'pending',
  reason: 'fee_too_high',
  message: expect.stringContaining('when the price falls'),
}

describe('a price that rises after the send', () => {
  test('by 20 times is followed in one step: the next block includes the replacement', async () => {
    const one = await transfers.asked()
    await one.send()
    await mineAt(20n * gwei)
    expect(await one.count()).toBe(0n)
    await bump(one)
    const [first, second, ...more] = await prices(one)
    expect(more).toEqual([])
    expect(second).toBeGreaterThanOrEqual(40n * gwei)
    expect(second).toBeLessThan(44n * gwei)
    expect(first).toBeLessThan(5n * gwei)
    await paidOnce(one)
  })

  test('is followed six times, at most: then the intent waits, with its last bytes', async () => {
    const one = await transfers.asked()
    await one.send()
    for (let i = 1; i <= 8; i++) {
      await mineAt(((await prices(one)).at(-1) ?? 0n) + gwei)
      await bump(one)
    }
    const paid = await prices(one)
    expect(paid).toHaveLength(7)
    expect((await one.transactions()).every(({ sends }) => sends > 0)).toBe(true)
    for (const [i, price] of paid.entries())
      if (i > 0) expect(price).toBeGreaterThanOrEqual(((paid[i - 1] ?? 0n) * 11n) / 10n)
    expect(await shown(one)).toMatchObject(waitsForFee)
    await mineAt(gwei)
    await one.reconcile()
    await paidOnce(one)
  })

  test('above the limit is followed exactly up to it, and no further', async () => {
    const one = await transfers.asked()
    await one.send()
    transfers.chain.maxFee = gas * 30n * gwei
    await mineAt(20n * gwei)
    await bump(one)
    expect((await prices(one)).at(-1)).toBe(30n * gwei)
    await mineAt(31n * gwei)
    await bump(one)
    await bump(one)
    expect(await prices(one)).toHaveLength(2)
    expect(await shown(one)).toMatchObject(waitsForFee)
    await mineAt(29n * gwei)
    await one.reconcile()
    await paidOnce(one)
  })
})

test('a transaction at the limit that the node lost goes again as it is when the price falls', async () => {
  const one = await transfers.asked()
  await one.send()
  const [sent] = await one.transactions()
  transfers.chain.maxFee = gas * ((await prices(one))[0] ?? 0n)
  await mineAt(20n * gwei)
  await transfers.node.call('anvil_dropTransaction', sent?.sent?.txId)
  await bump(one)
  expect(await shown(one)).toMatchObject(waitsForFee)
  expect(seen.filter((step) => step === 'fee_wait')).toHaveLength(1)
  // However long: a node had it.
  transfers.ctx.feeWaitMs = 1
  for (let i = 0; i < 4; i++) await bump(one)
  expect(await shown(one)).toMatchObject(waitsForFee)
  await mineAt(gwei)
  await one.reconcile()
  expect(await one.transactions()).toMatchObject([{ sent: sent?.sent, signed: sent?.signed }])
  expect(await one.row()).toMatchObject({ status: 'broadcast', feeWaitForMs: null })
  await paidOnce(one)
})

describe('a first send that is refused for its price alone', () => {
  /** Planned and signed at a price that has risen by the time it is sent. */
  async function refused(amount?: bigint) {
    const one = await transfers.asked(amount)
    await one.reconcile()
    await one.treasury()
    await mineAt(20n * gwei)
    await one.reconcile()
    return one
  }

  test('waits with its nonce, and goes at the present price at the same nonce', async () => {
    const one = await refused()
    expect(await shown(one)).toMatchObject(waitsForFee)
    const [attempt] = await one.transactions()
    expect(await transfers.node.call('eth_getTransactionByHash', attempt?.sent?.txId)).toBeNull()
    expect(await one.transactions()).toMatchObject([
      { sends: 1, refusals: 1, acceptedAt: null, signed: { txId: expect.any(String) } },
    ])
    expect(
      (await countUnsettled(transfers.db)).filter(({ status }) => status === 'waiting_for_fee'),
    ).toMatchObject([{ count: 1 }])
    await bump(one)
    expect((await prices(one)).at(-1)).toBeGreaterThanOrEqual(40n * gwei)
    expect(await shown(one)).toMatchObject({ status: 'pending', reason: null })
    await paidOnce(one)
  })

  test('goes as it is when the price falls before a bump', async () => {
    const one = await refused()
    transfers.chain.maxFee = gas * ((await prices(one))[0] ?? 0n)
    await bump(one)
    await bump(one)
    await mineAt(gwei)
    await one.reconcile()
    expect(await one.transactions()).toHaveLength(1)
    await paidOnce(one)
  })

  test('fails after its time, and frees its nonce for another transfer', async () => {
    const one = await refused()
    transfers.chain.maxFee = gas * ((await prices(one))[0] ?? 0n)
    await bump(one)
    expect((await one.row())?.status).toBe('signed')
    transfers.ctx.feeWaitMs = 1
    await wait(one, 1000)
    await one.reconcile()
    expect(await shown(one)).toMatchObject({
      status: 'failed',
      reason: 'fee_too_high',
      message: expect.stringContaining('base fee'),
    })
    expect(await one.transactions()).toMatchObject([{ signed: null }])
    await mineAt(gwei)
    transfers.chain.maxFee = limit
    const next = await transfers.asked(7n, one.wallet)
    await next.send()
    await paidOnce(next)
    expect((await one.row())?.status).toBe('failed')
  })

  test('does not fail where one send was not answered: a node may have its bytes', async () => {
    const one = await transfers.asked()
    await one.reconcile()
    await one.treasury()
    await mineAt(20n * gwei)
    const silent: Change = async (method, _, truth) => {
      if (method !== 'eth_sendRawTransaction') return truth()
      throw new RpcError('node', -32603, 'internal error')
    }
    Object.assign(transfers.hooks, { change: silent })
    await one.reconcile()
    transfers.reset()
    transfers.chain.maxFee = gas * ((await prices(one))[0] ?? 0n)
    transfers.ctx.feeWaitMs = 1
    for (let i = 0; i < 3; i++) await bump(one)
    expect(await one.row()).toMatchObject({ status: 'unknown', settled: false })
    expect(await one.transactions()).toMatchObject([{ signed: { txId: expect.any(String) } }])
    await mineAt(gwei)
    await one.reconcile()
    await paidOnce(one)
  })

  test('pays once where the node kept the refused bytes and mines them after all', async () => {
    const { kept, change } = refusing('transaction underpriced')
    Object.assign(transfers.hooks, { change })
    const one = await transfers.asked()
    await one.send()
    expect(await shown(one)).toMatchObject(waitsForFee)
    transfers.reset()
    await mineAt(20n * gwei)
    await bump(one)
    expect(await one.transactions()).toHaveLength(2)
    // Not the replacement, but the bytes that were refused.
    await transfers.node.call('anvil_dropAllTransactions')
    await mineAt(gwei)
    await transfers.node.call('eth_sendRawTransaction', kept[0])
    const before = await transfers.recipientHas()
    await paidOnce(one)
    expect((await transfers.recipientHas()) - before).toBe(5n)
    expect((await one.row())?.txId).toBe((await one.transactions())[0]?.sent?.txId)
  })
})

describe('a fee that is too high while a transfer is planned', () => {
  test('makes it wait without a nonce, and it goes when the price falls', async () => {
    await mineAt(20n * gwei)
    transfers.chain.maxFee = gas * 15n * gwei
    const one = await transfers.asked()
    await one.send()
    expect([await shown(one), await one.transactions()]).toMatchObject([waitsForFee, []])
    expect(await transfers.db.query('select 1 from intent_nonces where intent_id = $1', [one.id])).toEqual([])
    expect(seen.filter((step) => step === 'fee_wait')).toHaveLength(1)
    await mineAt(gwei)
    await one.send()
    expect(await shown(one)).toMatchObject({ status: 'pending', reason: null })
    await paidOnce(one)
  })

  test('only above the usual reserve is reduced to the limit: the next block includes it', async () => {
    await mineAt(20n * gwei)
    transfers.chain.maxFee = gas * 22n * gwei
    const one = await transfers.asked()
    await one.send()
    expect(await prices(one)).toEqual([22n * gwei])
    await paidOnce(one)
  })

  test('fails it after its time', async () => {
    await mineAt(20n * gwei)
    transfers.chain.maxFee = gas * 15n * gwei
    const one = await transfers.asked()
    await one.reconcile()
    transfers.ctx.feeWaitMs = 60_000
    // Less than its time, also where a reconcile takes seconds.
    await wait(one, 50_000)
    await one.reconcile()
    expect(await shown(one)).toMatchObject(waitsForFee)
    await wait(one, 10_000)
    await one.reconcile()
    expect(await shown(one)).toMatchObject({
      status: 'failed',
      reason: 'fee_too_high',
      message: expect.stringContaining('is allowed'),
    })
    expect((await one.row())?.settled).toBe(true)
  })

  test('is that of the price which its owner named: it waits for it, and is not bumped', async () => {
    await mineAt(20n * gwei)
    const one = await transfers.asked(5n, undefined, 3n * gwei)
    await one.send()
    expect([await shown(one), await one.transactions()]).toMatchObject([waitsForFee, []])
    await mineAt(gwei)
    await one.send()
    await mineAt(20n * gwei)
    await bump(one, 10 * bumpAfterMs)
    expect(await prices(one)).toEqual([3n * gwei])
    await mineAt(gwei)
    await one.reconcile()
    await paidOnce(one)
  })
})

describe('a bump that the sender cannot pay', () => {
  /** A transfer that leaves as much as the first fee and the rest takes. */
  async function poor(rest: bigint) {
    const one = await transfers.asked()
    await one.send()
    const fee = gas * ((await prices(one))[0] ?? 0n)
    const [{ l1Fee } = { l1Fee: '0' }] = (await one.transactions()).map(({ terms }) => terms)
    await transfers.node.fund(one.wallet.address, fee + BigInt(String(l1Fee)) + 5n + rest)
    return one
  }

  test('is not requested and does not count: once it is funded, one step follows the market', async () => {
    const one = await poor(0n)
    await mineAt(20n * gwei)
    for (let i = 0; i < 8; i++) await bump(one)
    expect(await prices(one)).toHaveLength(1)
    expect(seen).toContain('unaffordable')
    await transfers.node.fund(one.wallet.address, 10n ** 18n)
    await bump(one)
    const paid = await prices(one)
    expect([paid.length, paid[1]]).toEqual([2, expect.any(BigInt)])
    expect(paid[1]).toBeLessThan(45n * gwei)
    await paidOnce(one)
  })

  test('in full rises as far as the balance reaches', async () => {
    const one = await poor(gas * 25n * gwei)
    const [first = 0n] = await prices(one)
    await mineAt(20n * gwei)
    await bump(one)
    expect(await prices(one)).toEqual([first, first + 25n * gwei])
    await paidOnce(one)
  })

  test('as the network reports does not count and is not the base of the next', async () => {
    const one = await transfers.asked()
    await one.send()
    await mineAt(20n * gwei)
    Object.assign(transfers.hooks, { change: refusing('insufficient funds for gas * price + value').change })
    for (let i = 0; i < 8; i++) await bump(one, 20 * bumpAfterMs)
    const refused = await one.transactions()
    expect(refused).toHaveLength(9)
    expect(refused.map(({ sends }) => sends > 0)).toEqual(refused.map(() => true))
    expect(refused.filter(({ signed }) => signed !== null)).toHaveLength(1)
    transfers.reset()
    await bump(one, 20 * bumpAfterMs)
    for (const price of (await prices(one)).slice(1)) expect(price).toBeLessThan(45n * gwei)
    await paidOnce(one)
  })
})

test('where the price does not rise a fee is not bumped before three times the usual time, and then by the minimum', async () => {
  const one = await transfers.asked()
  await one.send()
  const [first = 0n] = await prices(one)
  await baseFeeIs(gwei / 2n)
  for (let i = 0; i < 2; i++) await bump(one, bumpAfterMs)
  expect(await prices(one)).toEqual([first])
  await bump(one, bumpAfterMs)
  expect(await prices(one)).toEqual([first, (first * 9n + 7n) / 8n])
  await paidOnce(one)
})
