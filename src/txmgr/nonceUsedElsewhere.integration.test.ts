import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { waitFor } from '../../test/support/waitFor.ts'
import { refusing, startWalletTransfers, type WalletTransfers } from '../../test/support/walletTransfers.ts'

/**
 * Another transaction used the nonce of a stored wallet's transfer: sent by its owner from another wallet, or
 * by the platform.
 */

let wallets: WalletTransfers

beforeAll(async () => {
  wallets = await startWalletTransfers()
})
beforeEach(() => wallets.reset())
afterAll(() => wallets?.close())

type Transfer = Awaited<ReturnType<WalletTransfers['asked']>>

/** Reconciles often and long enough for the chain's report to count. */
async function believes(one: Transfer): Promise<void> {
  await one.reconcile()
  await one.waits(61)
  await one.reconcile()
}

/** All that worker and treasury would still do. */
async function goesOn(one: Transfer): Promise<void> {
  for (let looks = 0; looks < 3; looks++) {
    await one.reconcile()
    await one.treasury()
  }
  await wallets.node.mine(20)
}

describe('a transfer whose nonce its owner used elsewhere', () => {
  test.each(['sped up', 'cancelled', 'used for another payment'])(
    '%s: it expires and is never signed again',
    async (what) => {
      const one = await wallets.asked(5n)
      await one.send()
      const [had, to] = [
        await wallets.recipientHas(),
        what === 'cancelled' ? one.wallet.address : wallets.recipient,
      ]
      expect(await one.ownerSends({ to, amount: what === 'sped up' ? 5n : 1n })).toBe('accepted')
      await wallets.node.mine(20)
      await one.reconcile()
      expect(await one.row()).toMatchObject({ status: 'broadcast', settled: false })
      await believes(one)
      await goesOn(one)
      expect(await one.row()).toMatchObject({
        status: 'expired',
        reason: 'sequence_used',
        message: expect.stringContaining('another transaction'),
        settled: true,
        resigns: 0,
      })
      expect((await one.transactions()).map(({ nonce, isVoid }) => [nonce, isVoid])).toEqual([[0n, false]])
      const paid = { 'sped up': 5n, cancelled: 0n, 'used for another payment': 1n }[what]
      expect([await one.count(), (await wallets.recipientHas()) - had]).toEqual([1n, paid])
    },
  )

  test.each(['waits with its nonce', 'is in a block'])(
    'by a transaction that %s before the network has it: it is signed again once, at the next nonce',
    async (where) => {
      const one = await wallets.asked(5n)
      await one.reconcile()
      await one.treasury()
      const had = await wallets.recipientHas()
      expect(await one.ownerSends({ to: wallets.recipient, amount: 1n })).toBe('accepted')
      if (where === 'is in a block') await wallets.node.mine(1)
      await one.reconcile()
      await wallets.node.mine(20)
      await one.reconcile()
      await believes(one)
      expect(await one.row()).toMatchObject({ status: 'created', resigns: 1 })
      await goesOn(one)
      await one.reconcile()
      expect(await one.row()).toMatchObject({ status: 'confirmed', resigns: 1 })
      expect([await one.count(), (await wallets.recipientHas()) - had]).toEqual([2n, 6n])
    },
  )

  test('by an earlier transaction that is dropped so that this one waits: the one that is mined then may be the same payment, and it expires', async () => {
    const one = await wallets.asked(5n)
    await one.reconcile()
    await one.treasury()
    expect(await one.ownerSends()).toBe('accepted')
    await one.reconcile()
    await wallets.node.call('anvil_dropAllTransactions')
    await waitFor('the attempt, taken by the network', async () => {
      await one.reconcile()
      return (await one.row())?.status === 'broadcast'
    })
    expect(await one.ownerSends({ to: wallets.recipient, amount: 5n })).toBe('accepted')
    await wallets.node.mine(20)
    await one.reconcile()
    await believes(one)
    await goesOn(one)
    expect(await one.row()).toMatchObject({
      status: 'expired',
      reason: 'sequence_used',
      settled: true,
      resigns: 0,
    })
  })

  test('is pending again if a reorg takes that block, and confirmed when it is mined itself', async () => {
    const one = await wallets.asked(5n)
    await one.send()
    const before = await wallets.node.call('evm_snapshot')
    await wallets.node.call('anvil_dropAllTransactions')
    expect(await one.ownerSends()).toBe('accepted')
    // Confirmed, not final.
    await wallets.node.mine(1)
    await believes(one)
    expect(await one.row()).toMatchObject({ status: 'expired', reason: 'sequence_used', settled: false })
    await wallets.node.call('evm_revert', before)
    await one.reconcile()
    expect(await one.row()).toMatchObject({ status: 'broadcast', reason: null, message: null })
    await waitFor('the transfer itself, sent again', async () => {
      await one.reconcile()
      await wallets.node.mine(20)
      return (await one.row())?.status === 'confirmed'
    })
    expect(await one.row()).toMatchObject({ settled: true, resigns: 0 })
  })
})

describe('a transfer whose nonce another intent used, which had been refused and was mined all the same', () => {
  async function both() {
    const first = await wallets.asked(3n)
    const { kept, change } = refusing('insufficient funds for gas * price + value')
    wallets.hooks.change = change
    await first.send()
    expect(await first.row()).toMatchObject({ status: 'failed', reason: 'refused' })
    wallets.reset()
    const second = await wallets.asked(4n, first.wallet)
    await second.send()
    expect(await second.transactions()).toMatchObject([{ nonce: 0n, sends: 1 }])
    await wallets.node.call('anvil_dropAllTransactions')
    await wallets.node.call('eth_sendRawTransaction', kept[0] as Hex)
    await wallets.node.mine(20)
    return { first, second }
  }

  test('is signed again once, at the next nonce: both arrive', async () => {
    const { first, second } = await both()
    const had = await wallets.recipientHas()
    await first.reconcile()
    expect(await first.row()).toMatchObject({ status: 'confirmed' })
    await believes(second)
    expect(await second.row()).toMatchObject({ status: 'created', resigns: 1, unminableForMs: 0 })
    await goesOn(second)
    await second.reconcile()
    expect(await second.row()).toMatchObject({ status: 'confirmed', resigns: 1 })
    const nonces = (await second.transactions()).map(
      ({ nonce, isVoid }) => `${nonce} ${isVoid ? 'void' : 'live'}`,
    )
    // An attempt with a higher fee may share its nonce.
    expect(new Set(nonces)).toEqual(new Set(['0 void', '1 live']))
    expect([await second.count(), (await wallets.recipientHas()) - had]).toEqual([2n, 4n])
  })

  test('waits until that one is ruled out', async () => {
    const { first, second } = await both()
    await believes(second)
    await second.reconcile()
    expect(await second.row()).toMatchObject({ status: 'broadcast', settled: false, resigns: 0 })
    await first.reconcile()
    await second.reconcile()
    expect(await second.row()).toMatchObject({ status: 'created', resigns: 1 })
  })
})
