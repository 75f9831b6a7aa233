import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { waitFor } from '../../test/support/waitFor.ts'
import { startWalletTransfers, type WalletTransfers } from '../../test/support/walletTransfers.ts'
import type { Db } from '../platform/db.ts'
import { reconcileIntent } from './reconcile.ts'

/** The database goes away for a moment: what it left claimed or half done is not left for the time of a lease. */

let transfers: WalletTransfers
beforeAll(async () => {
  transfers = await startWalletTransfers()
})
afterEach(() => transfers.reset())
afterAll(() => transfers?.close())

const away = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

test('a claim whose answer was lost ends when the database is back, long before its lease', async () => {
  const one = await transfers.asked()
  const { db } = transfers
  let lost = 0
  const losing: Pick<Db, 'query'>['query'] = async <R extends object>(text: string, values?: unknown[]) => {
    const rows = await db.query<R>(text, values)
    if (!text.startsWith('update intents set next_reconcile_at') || lost > 0) return rows
    lost++
    throw away()
  }
  await db.query("update intents set next_reconcile_at = now() - interval '1 s' where id = $1", [one.id])
  await expect(reconcileIntent({ ...transfers.ctx, db: { ...db, query: losing } }, one.id)).rejects.toThrow('ECONNRESET')
  const isDue = async () => (await db.query('select 1 from intents where id = $1 and next_reconcile_at <= now()', [one.id])).length > 0
  expect([lost, await isDue()]).toEqual([1, false])
  await waitFor('it is due again', isDue, 5000)
  await one.send()
  expect(await one.row()).toMatchObject({ status: 'broadcast' })
})

test('a request that the treasury could not sign because the database went away is signed at the next try', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  transfers.hooks.inTreasury = async () => {
    throw away()
  }
  await expect(one.treasury()).rejects.toThrow('ECONNRESET')
  transfers.reset()
  await one.treasury()
  expect(await one.row()).toMatchObject({ status: 'signed' })
})
