import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Change } from '../../test/support/evmSending.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { startWalletTransfers, type WalletTransfers } from '../../test/support/walletTransfers.ts'
import { voidAttempts } from './attempts.ts'
import { storeSigned } from './storeSigned.ts'

let wallets: WalletTransfers

beforeAll(async () => {
  wallets = await startWalletTransfers()
})
beforeEach(() => wallets.reset())
afterAll(() => wallets?.close())

/** A new transfer, handled by worker and treasury. */
const asked = () => wallets.asked()

/** Planned, signed and sent. */
async function sent() {
  const one = await asked()
  await one.send()
  expect((await one.transactions()).map((each) => [each.nonce, each.sends])).toEqual([[0n, 1]])
  return one
}

/** Of two nodes behind one URL, the one that serves receipts lacks the last blocks. */
const receiptsAreBehind: Change = async (method, _params, truth) =>
  method === 'eth_getTransactionReceipt' ? null : truth()

describe('a nonce that one node reports as used while another behind the same URL has no receipt', () => {
  test('may be used by our own transaction: nothing replaces it', async () => {
    const one = await sent()
    await wallets.node.mine(20)
    wallets.hooks.change = receiptsAreBehind
    await one.reconcile()
    // Less than a minute, also where a reconcile takes seconds.
    await one.waits(50)
    await one.reconcile()
    wallets.reset()
    await one.reconcile()
    await one.treasury()
    expect(await one.row()).toMatchObject({ status: 'confirmed', settled: true, resigns: 0 })
    expect([(await one.transactions()).length, await one.count()]).toEqual([1, 1n])
  })

  test('starts its minute again after any other report', async () => {
    const one = await sent()
    await wallets.node.mine(20)
    wallets.hooks.change = receiptsAreBehind
    await one.reconcile()
    await one.waits(61)
    // This time the node that serves the nonce is behind.
    wallets.hooks.change = (method, params, truth) =>
      method === 'eth_getTransactionCount' ? Promise.resolve('0x0') : receiptsAreBehind(method, params, truth)
    await one.reconcile()
    wallets.hooks.change = receiptsAreBehind
    await one.reconcile()
    await one.reconcile()
    expect(await one.row()).toMatchObject({ status: 'broadcast', resigns: 0 })
    expect((await one.transactions()).every((each) => !each.isVoid)).toBe(true)
  })
})

describe('terms that were not signed in time', () => {
  const isOld = "update intent_attempts set created_at = now() - interval '1 hour' where intent_id = $1"

  test('are not given up while the treasury signs them', async () => {
    const one = await asked()
    await one.reconcile()
    await wallets.db.query(isOld, [one.id])
    let goOn: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let signing: Promise<unknown> = Promise.resolve()
    wallets.hooks.inLook = async () => {
      wallets.hooks.inLook = async () => null
      await new Promise<void>((resolve, reject) => {
        wallets.hooks.inTreasury = () => {
          resolve()
          return held
        }
        signing = one.treasury().then(() => reject(new Error('the treasury opened no wallet')))
      })
    }
    const looking = one.reconcile()
    // The reconcile waits for the treasury's lock.
    await waitFor('a statement that waits for the treasury', async () => {
      const [blocked] = await wallets.db.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'",
      )
      return blocked
    })
    goOn()
    await Promise.all([signing.catch(() => null), looking])
    expect(await one.row()).toMatchObject({ status: 'signed' })
    expect(await one.transactions()).toMatchObject([{ isVoid: false, nonce: 0n, signed: expect.anything() }])
  })

  test('and were given up are never signed', async () => {
    const one = await asked()
    await one.reconcile()
    await wallets.db.tx((tx) => voidAttempts(tx, one.id, [0], 'test'))
    const signed = { txId: '0x1', bytes: Buffer.from('1'), expiry: null }
    await expect(wallets.db.tx((tx) => storeSigned(wallets.ctx, tx, one.id, 0, signed))).rejects.toThrow(
      'given up',
    )
    expect(await one.transactions()).toMatchObject([{ isVoid: true, sent: null }])
  })
})

test('a waiting transaction that the owner sent with the same nonce is not replaced with a higher fee', async () => {
  const one = await asked()
  await one.reconcile()
  await one.treasury()
  expect(await one.ownerSends()).toBe('accepted')
  for (let looks = 0; looks < 4; looks++) {
    await one.reconcile()
    await one.treasury()
  }
  expect(await one.transactions()).toMatchObject([{ number: 0, nonceTaken: true, acceptedAt: null }])
  // The owner drops it: this one is sent, with a higher fee if needed.
  await wallets.node.call('anvil_dropAllTransactions')
  await one.reconcile()
  expect(await one.transactions()).toMatchObject([{ nonceTaken: false, acceptedAt: expect.any(Date) }])
  await waitFor('an attempt with a higher fee', async () => {
    await one.reconcile()
    return (await one.transactions()).length > 1
  })
})
