import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { provers } from '../../test/support/intentKeys.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { startWalletTransfers, type WalletTransfers } from '../../test/support/walletTransfers.ts'
import { insertRequest, readAttempts } from '../txmgr/attempts.ts'
import { reconcileIntent } from '../txmgr/reconcile.ts'
import { cancelTransfer } from './cancelTransfer.ts'
import type { TransferView } from './presentTransfer.ts'

/**
 * Transfers of stored wallets that are cancelled, or whose deadline passes: by worker and treasury on a node
 * and a database.
 */

let wallets: WalletTransfers
let changes: string[]

beforeAll(async () => {
  wallets = await startWalletTransfers()
  const [transfer] = wallets.ctx.purposes
  if (!transfer) throw new Error('no purpose')
  transfer.onChange = async (_tx, row, before) =>
    void changes.push(`${before} to ${row.status} ${row.reason}`)
})
beforeEach(() => {
  wallets.reset()
  changes = []
})
afterAll(() => wallets?.close())

type Transfer = Awaited<ReturnType<WalletTransfers['asked']>>

const cancel = (one: Transfer): Promise<TransferView> =>
  cancelTransfer(
    { db: wallets.db, purposes: wallets.ctx.purposes, prover: provers.api },
    wallets.business,
    one.id,
    async () => {},
  )
const seen = async (one: Transfer) =>
  (await one.transactions()).map(({ nonce, cancels, sends, isVoid }) => [nonce, cancels, sends > 0, isVoid])
/** Worker and treasury, until the no-op is with the network. */
async function replaced(one: Transfer): Promise<void> {
  await one.send()
  expect((await one.transactions()).at(-1)).toMatchObject({ cancels: true, acceptedAt: expect.any(Date) })
}
async function mined(one: Transfer): Promise<void> {
  await wallets.node.mine(4)
  await one.reconcile()
}
const cancelling = { status: 'pending', reason: 'cancelling' }
const cancelled = { status: 'failed', reason: 'cancelled' }

describe('a transfer that is cancelled', () => {
  test.each(['created', 'planned', 'signed'])(
    'while it is %s fails at once: it is never sent, and its nonce is free',
    async (state) => {
      const one = await wallets.asked()
      if (state !== 'created') await one.reconcile()
      if (state === 'signed') await one.treasury()
      expect(await cancel(one)).toMatchObject({ ...cancelled, txHash: null })
      expect(await one.row()).toMatchObject({ settled: true })
      expect(await cancel(one)).toEqual(await cancel(one))
      for (let i = 0; i < 2; i++) await one.send()
      expect(
        (await one.transactions()).every(
          ({ isVoid, signed, sends }) => isVoid && signed === null && sends === 0,
        ),
      ).toBe(true)
      const next = await wallets.asked(5n, one.wallet)
      await next.send()
      await mined(next)
      expect([await next.row(), await one.count()]).toEqual([
        expect.objectContaining({ status: 'confirmed' }),
        1n,
      ])
      expect(changes).toEqual([
        `${state === 'signed' ? 'signed' : 'created'} to failed cancelled`,
        'broadcast to confirmed null',
      ])
    },
  )

  test('after it was sent is pending until a no-op at its nonce is mined; then it has failed, and nothing was paid', async () => {
    const had = await wallets.recipientHas()
    const one = await wallets.asked()
    await one.send()
    const shown = await cancel(one)
    expect(shown).toMatchObject(cancelling)
    expect(await cancel(one)).toEqual(shown)
    await replaced(one)
    expect(await seen(one)).toEqual([
      [0n, false, true, false],
      [0n, true, true, false],
    ])
    await mined(one)
    expect(await one.row()).toMatchObject({
      status: 'failed',
      reason: 'cancelled',
      settled: true,
      fee: expect.any(BigInt),
    })
    expect(await cancel(one)).toMatchObject({
      ...cancelled,
      txHash: (await one.transactions())[1]?.sent?.txId,
    })
    expect([await wallets.recipientHas(), await one.count(), changes]).toEqual([
      had,
      1n,
      ['broadcast to failed cancelled'],
    ])
  })

  test('that is mined all the same is confirmed', async () => {
    const one = await wallets.asked()
    await one.send()
    await cancel(one)
    await one.reconcile()
    await one.treasury()
    await wallets.node.mine(4)
    await one.reconcile()
    expect(await one.row()).toMatchObject({ status: 'confirmed', reason: null, settled: true })
    expect([await cancel(one), changes]).toEqual([
      expect.objectContaining({ status: 'confirmed', reason: null }),
      ['broadcast to confirmed null'],
    ])
  })

  test('whose no-op a reorg takes back is confirmed if its own transaction is mined then', async () => {
    const one = await wallets.asked()
    await one.send()
    const payment = (await one.transactions())[0]?.signed
    await cancel(one)
    const fork = await wallets.node.call('evm_snapshot')
    await replaced(one)
    await wallets.node.mine(1)
    await one.reconcile()
    expect(await one.row()).toMatchObject({ status: 'failed', reason: 'cancelled', settled: false })
    await wallets.node.call('evm_revert', fork)
    await wallets.node.call('anvil_dropAllTransactions')
    wallets.hooks.change = async (method, _params, truth) =>
      method === 'eth_sendRawTransaction' ? Promise.reject(new Error('away')) : truth()
    await one.reconcile().catch(() => {})
    expect(await one.row()).toMatchObject({ status: 'broadcast', reason: null })
    wallets.reset()
    if (!payment) throw new Error('no payment')
    await wallets.node.sender.broadcast(payment)
    await mined(one)
    expect(await one.row()).toMatchObject({ status: 'confirmed', reason: null, settled: true })
    expect(changes).toEqual([
      'broadcast to failed cancelled',
      'failed to broadcast null',
      'broadcast to confirmed null',
    ])
  })

  test('is not sent by a worker that read it before', async () => {
    const one = await wallets.asked()
    await one.send()
    // No node has it.
    await wallets.node.call('anvil_dropAllTransactions')
    await wallets.db.query('update intent_attempts set accepted_at = null where intent_id = $1', [one.id])
    const sent: unknown[] = []
    wallets.hooks.change = async (method, params, truth) => {
      if (method === 'eth_sendRawTransaction') sent.push(params[0])
      return truth()
    }
    wallets.hooks.inLook = () => cancel(one)
    await one.reconcile()
    expect([sent, await seen(one)]).toEqual([[], [[0n, false, true, false]]])
  })

  test('is replaced once by two workers, and its no-op gets higher fees like any transaction', async () => {
    const one = await wallets.asked()
    await one.send()
    await cancel(one)
    await wallets.db.query("update intents set next_reconcile_at = now() - interval '1 s' where id = $1", [
      one.id,
    ])
    await Promise.all([1, 2, 3].map(() => reconcileIntent(wallets.ctx, one.id)))
    await replaced(one)
    expect((await one.transactions()).map(({ cancels }) => cancels)).toEqual([false, true])
    await waitFor('a no-op with a higher fee', async () => {
      await one.reconcile()
      await one.treasury()
      return (await one.transactions()).filter(({ cancels, sends }) => cancels && sends > 0).length > 1
    })
    expect((await one.transactions()).every(({ nonce }) => nonce === 0n)).toBe(true)
    await mined(one)
    expect(await one.row()).toMatchObject({ status: 'failed', reason: 'cancelled' })
  })

  test('while a higher fee for it waits to be sent: that is never sent', async () => {
    const one = await wallets.asked()
    await one.send()
    await waitFor('a request for a higher fee', async () => {
      await one.reconcile()
      return (await one.transactions()).length > 1
    })
    await one.treasury()
    await cancel(one)
    await one.reconcile()
    await replaced(one)
    expect(await seen(one)).toEqual([
      [0n, false, true, false],
      [0n, false, false, true],
      [0n, true, true, false],
    ])
  })

  test('is refused where a key that is not stored has signed it, or it has ended', async () => {
    const one = await wallets.asked()
    await one.send()
    await mined(one)
    await expect(cancel(one)).rejects.toMatchObject({ status: 409, error: 'transfer_ended' })
    await wallets.db.query(
      "update intents set signer = 'external', wallet_id = null, status = 'broadcast' where id = $1",
      [one.id],
    )
    await expect(cancel(one)).rejects.toMatchObject({ status: 409, error: 'transfer_not_ours' })
    await wallets.db.query('update intents set next_reconcile_at = null where id = $1', [one.id])
  })
})

describe('a transfer whose deadline has passed', () => {
  const passed = (one: Transfer) => waitFor('the deadline', async () => (await one.row())?.isCancelled)
  /**
   * New transfers whose deadline passes soon, after these steps. Where the machine takes longer for them,
   * others get a later one.
   */
  async function late(count: number, steps: (...all: Transfer[]) => Promise<unknown>): Promise<Transfer[]> {
    for (let ms = 700; ; ms *= 2) {
      const validUntil = new Date(Date.now() + ms)
      const all: Transfer[] = []
      while (all.length < count) all.push(await wallets.asked(5n, undefined, null, validUntil))
      await steps(...all)
      if (!(await all[0]?.row())?.isCancelled) return all
      expect(ms).toBeLessThan(30_000)
    }
  }

  test('before it was planned, signed or sent: it has failed, and was not sent', async () => {
    const all = await late(3, async (_first, second, third) => {
      await second?.reconcile()
      await third?.reconcile()
      await third?.treasury()
    })
    const [, , third] = all
    if (!third) throw new Error('no transfer')
    await passed(third)
    expect(await third.row()).toMatchObject({ status: expect.stringMatching('created|signed'), reason: null })
    for (const each of all) await each.reconcile()
    for (const each of all) {
      expect(await each.row()).toMatchObject({ status: 'failed', reason: 'cancelled', settled: true })
      expect((await each.transactions()).every(({ sends }) => sends === 0)).toBe(true)
    }
  })

  test('is not signed by the treasury, which checks it itself; without that check it is', async () => {
    const planned = async () => {
      const [one] = await late(1, async (asked) => asked?.reconcile())
      if (!one) throw new Error('no transfer')
      await passed(one)
      return one
    }
    const one = await planned()
    await one.treasury()
    expect(await one.row()).toMatchObject({
      status: 'failed',
      reason: 'cancelled',
      message: 'it is cancelled',
    })
    const other = await planned()
    await other.treasury(['cancelled'])
    expect(await other.row()).toMatchObject({ status: 'signed' })
  })

  test('which a writer of the database has moved: it is not signed', async () => {
    const [one] = await late(1, async (asked) => asked?.reconcile())
    if (!one) throw new Error('no transfer')
    await wallets.db.query("update intents set valid_until = now() + interval '1 day' where id = $1", [
      one.id,
    ])
    await one.treasury()
    expect(await one.row()).toMatchObject({
      status: 'failed',
      reason: 'policy',
      message: expect.stringContaining('proof'),
    })
  })

  test('after it was sent is cancelled by a no-op', async () => {
    const [one] = await late(1, async (asked) => asked?.send())
    if (!one) throw new Error('no transfer')
    await passed(one)
    await replaced(one)
    await mined(one)
    expect(await one.row()).toMatchObject({ status: 'failed', reason: 'cancelled', settled: true })
  })
})

describe('the treasury', () => {
  const terms = { gas: '30000', maxFeePerGas: '9000000000', maxPriorityFeePerGas: '9000000000', l1Fee: '0' }
  /** A request by the worker's key. */
  const request = async (one: Transfer, cancels: boolean): Promise<number> => {
    const row = await one.row()
    if (!row) throw new Error('no row')
    await wallets.db.tx((tx) => insertRequest(tx, row, { nonce: 0n, terms, cancels }, wallets.ctx.prover))
    return (await readAttempts(wallets.db, one.id)).length - 1
  }
  const isSigned = async (one: Transfer, number: number) => (await one.transactions())[number]?.sent != null

  const forgeries: [string, (one: Transfer) => Promise<unknown>][] = [
    ['that was not cancelled', async () => {}],
    [
      'that a writer of the database has cancelled',
      ({ id }) => wallets.db.query('update intents set cancel_requested_at = now() where id = $1', [id]),
    ],
    [
      'with the proof of another cancellation',
      async ({ id }) => {
        const other = await wallets.asked()
        await other.send()
        await cancel(other)
        const sql = `update intents a set cancel_requested_at = b.cancel_requested_at, cancel_proof = b.cancel_proof from intents b where a.id = $1 and b.id = $2`
        await wallets.db.query(sql, [id, other.id])
      },
    ],
  ]
  test.each(forgeries)(
    'does not take the nonce of a transfer %s; without that check it does',
    async (_what, forge) => {
      const one = await wallets.asked()
      await one.send()
      await forge(one)
      const number = await request(one, true)
      await one.treasury()
      expect([await isSigned(one, number), (await one.transactions())[number]?.isVoid]).toEqual([false, true])
      const again = await request(one, true)
      await one.treasury(['cancelled'])
      expect(await isSigned(one, again)).toBe(true)
    },
  )

  test('signs no payment of a cancelled transfer; without that check it does', async () => {
    const one = await wallets.asked()
    await one.send()
    await cancel(one)
    const number = await request(one, false)
    await one.treasury()
    expect(await isSigned(one, number)).toBe(false)
    const again = await request(one, false)
    await one.treasury(['cancelled'])
    expect(await isSigned(one, again)).toBe(true)
  })

  test('signs exactly a no-op to cancel a transfer, even where its request differs', async () => {
    const one = await wallets.asked()
    await one.send()
    await cancel(one)
    const number = await request(one, true)
    // Not proven as a no-op.
    await wallets.db.query(
      'update intent_attempts set cancels = false where intent_id = $1 and number = $2',
      [one.id, number],
    )
    await one.treasury(['cancelled'])
    expect(await isSigned(one, number)).toBe(false)
    const genuine = await request(one, true)
    await one.treasury()
    const { parseTransaction, toHex } = await import('viem')
    const bytes = (await one.transactions())[genuine]?.signed?.bytes ?? new Uint8Array()
    const { to, value = 0n, data, nonce = 0 } = parseTransaction(toHex(bytes) as `0x02${string}`)
    expect([to, value, data, nonce]).toEqual([one.wallet.address, 0n, undefined, 0])
  })
})
