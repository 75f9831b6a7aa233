import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makeWallet } from '../../test/support/waitingTransfer.ts'
import { takeTurn } from '../partnerPayments/partnerTurns.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { type Attestations, AttestationsError } from './attestations.ts'
import { type BridgeTransfer, readBridgeTransfers } from './bridgeRow.ts'
import { moveBridge } from './moveBridge.ts'
import { requestCircle } from './requestCircle.ts'
import { storeBridge } from './storeBridge.ts'

let database: TestDatabase
let row: BridgeTransfer
const businessId = newId()
let walletId: string
const zero = `0x${'00'.repeat(32)}` as const

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId, 'sender')
  walletId = await makeWallet(database.db, businessId)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  row = await made()
})

const made = () =>
  database.db.tx((tx) =>
    storeBridge(
      tx,
      {
        ...{
          id: newId(),
          businessId,
          walletId,
          sourceChain: 'ethereum',
          destinationChain: 'base',
          amount: 5n,
          maxFee: 1n,
        },
        ...{
          sourceAddress: `0x${'cd'.repeat(20)}`,
          destinationAddress: `0x${'ef'.repeat(20)}`,
          automatic: false,
          speed: 'fast',
        },
        ...{
          sourceDomain: 0,
          destinationDomain: 6,
          sourceMessenger: zero,
          destinationMessenger: zero,
          burnToken: zero,
        },
        ...{
          sourceWord: zero,
          mintRecipient: zero,
          hook: '0x',
          needsApproval: false,
          approvalIntentId: null,
          eventAccount: null,
        },
        ...{ createdAt: new Date(), proof: Buffer.from('') },
      },
      { apiKeyId: null, accountId: null },
    ),
  )

const nextAt = async () => (await readBridgeTransfers(database.db, 'id = $1', [row.id]))[0]?.nextAt ?? null
const move = (nextInMs: number | null) => database.db.tx((tx) => moveBridge(tx, row, { nextInMs }))

test('a transfer that its intents have made due while it was worked on stays due', async () => {
  await database.db.query('update bridge_transfers set next_at = now() where id = $1', [row.id])
  const due = await nextAt()
  expect(due).not.toBeNull()
  await move(null)
  await move(600_000)
  expect(await nextAt()).toBe(due)
})

test('one that nothing has made due waits as long as its step returns', async () => {
  await move(600_000)
  expect(await nextAt()).not.toBeNull()
})

test('a message belongs to one transfer', async () => {
  const name = (id: string) =>
    database.db.query(`update bridge_transfers set nonce = '0x01' where id = $1`, [id])
  await name(row.id)
  const other = await made()
  await expect(name(other.id)).rejects.toThrow('bridge_transfers_nonce')
})

test('after a 429 no process queries Circle, until its time is over', async () => {
  const attestations = { perSecond: 10 } as Attestations
  const ctx = { db: database.db, log: createLog('test', 'silent'), attestations }
  const refused = requestCircle(ctx, 1000, () =>
    Promise.reject(new AttestationsError('throttled', 'It answered 429', 60)),
  )
  await expect(refused).rejects.toThrow('429')
  const turn = await takeTurn(database.db, 'circle', 10, 3000)
  expect(turn.isTooLate).toBe(true)
  expect(turn.inMs).toBeGreaterThan(50_000)
})
