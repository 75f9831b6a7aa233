import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { databaseAway, losingAnswer } from '../../test/support/lostAnswer.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { startWalletTransfers, type WalletTransfers } from '../../test/support/walletTransfers.ts'
import { reconcileIntent } from './reconcile.ts'

/**
 * The database goes away for a moment: what it left claimed or half done is not left for the time of a lease.
 */

let transfers: WalletTransfers
beforeAll(async () => {
  transfers = await startWalletTransfers()
})
afterEach(() => transfers.reset())
afterAll(() => transfers?.close())

test('a claim whose answer was lost ends when the database is back, long before its lease', async () => {
  const one = await transfers.asked()
  const { db } = transfers
  const losing = losingAnswer(db, 'update intents set next_reconcile_at')
  await db.query("update intents set next_reconcile_at = now() - interval '1 s' where id = $1", [one.id])
  await expect(reconcileIntent({ ...transfers.ctx, db: losing.db }, one.id)).rejects.toThrow('ECONNRESET')
  const isDue = async () =>
    (await db.query('select 1 from intents where id = $1 and next_reconcile_at <= now()', [one.id])).length >
    0
  expect([losing.lost(), await isDue()]).toEqual([1, false])
  await waitFor('it is due again', isDue, 15_000)
  await one.send()
  expect(await one.row()).toMatchObject({ status: 'broadcast' })
})

test('a request that the treasury could not sign because the database went away is signed at the next try', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  transfers.hooks.inTreasury = async () => {
    throw databaseAway()
  }
  await expect(one.treasury()).rejects.toThrow('ECONNRESET')
  transfers.reset()
  await one.treasury()
  expect(await one.row()).toMatchObject({ status: 'signed' })
})
