import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { defaultSettings } from '../../test/support/defaultSettings.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { transfersWith } from '../../test/support/purposes.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { setApproval } from '../businesses/operateBusinesses.ts'
import type { TransferSpec } from '../chains/action.ts'
import { knownChain } from '../chains/registry.ts'
import type { ActionBuilder, ActionSender, Broadcast, Outcome } from '../chains/sending.ts'
import { createOneByOne } from '../platform/database/oneByOne.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { readAttempts } from '../txmgr/attempts.ts'
import type { SendingChain } from '../txmgr/context.ts'
import { pauseSending, resumeSending } from '../txmgr/pause.ts'
import type { KeySendingContext } from '../txmgr/sendNow.ts'
import { createTransfer } from './createTransfer.ts'
import { writePrepared } from './preparedSpec.ts'
import type { TransferView } from './presentTransfer.ts'
import { submitTransfer } from './submitTransfer.ts'

/**
 * Pauses and suspensions between the first question to the chain and the signature; the chain's answers are
 * scripted.
 */

let database: TestDatabase
let businessId: string
let sender: { [K in 'nextNonce' | 'broadcast' | 'outcome']: () => Promise<unknown> }
let broadcasts: number
let ctx: KeySendingContext

const known = knownChain('ethereum')
if (!known) throw new Error('no ethereum')
const ethereum: SendingChain['chain'] = { ...known } as SendingChain['chain']
const signed = (nonce: bigint | null) => ({
  txId: `${newId()}-${nonce}`,
  bytes: Buffer.from('signed'),
  expiry: null,
})
const builder: ActionBuilder = {
  unsigned: () => ({ payload: '0x', encoding: 'hex', signing: '0x' }),
  sign: (_intent, _terms, nonce) => signed(nonce),
  accept: (_intent, _terms, nonce) => signed(nonce),
  maxFee: () => 1n,
}
const used: Broadcast = { status: 'nonce_used', message: 'nonce too low' }
const gone: Outcome = { status: 'unminable', reason: 'sequence_used', standing: 'final' }
const transfer: TransferSpec = {
  kind: 'transfer',
  from: `0x${'a'.repeat(40)}`,
  to: `0x${'b'.repeat(40)}`,
  token: null,
  amount: 5n,
  memo: null,
  gasPrice: null,
  gasLimit: null,
}

beforeAll(async () => {
  database = await createTestDatabase()
  businessId = newId()
  await insertBusiness(database.db, businessId, 'sender')
  const asked: ActionSender = {
    plan: async () => ({ terms: {}, fee: { expected: 1n, max: 1n }, otherCosts: 0n, shortages: [] }),
    nextNonce: async () => (await sender.nextNonce()) as bigint,
    broadcast: async () => {
      broadcasts++
      return (await sender.broadcast()) as Broadcast
    },
    outcome: async () => (await sender.outcome()) as Outcome,
  }
  ctx = {
    db: database.db,
    log: createLog('test', 'silent'),
    sendingChain: async () => ({ chain: ethereum, builder, sender: asked }),
    prover: provers.api,
    purposes: transfersWith(),
    reconcileMs: 1,
    bumpAfterMs: null,
    unminableMs: 1,
    feeWaitMs: 3_600_000,
    settings: defaultSettings,
    environment: 'test',
    observe: () => {},
    ofAddress: createOneByOne(),
  }
})
beforeEach(async () => {
  broadcasts = 0
  ctx.unminableMs = 1
  sender = {
    nextNonce: async () => 4n,
    broadcast: async () => ({ status: 'accepted', message: null }),
    outcome: async () => ({ status: 'absent' }),
  }
  for (const { end } of stops) await end()
})
afterAll(() => database?.drop())

const stored = async () =>
  (await database.db.query<{ id: string }>('select id from intents order by id')).map(({ id }) => id)
const send = (also: (view: TransferView) => void = () => {}) =>
  createTransfer(
    ctx,
    {
      chain: ethereum,
      transfer,
      symbol: 'ETH',
      decimals: 18,
      businessId,
      from: transfer.from,
      key: new Secret('key'),
    },
    async (_db, view) => also(view),
  )

const approval = (to: 'approved' | 'suspended', reason: string | null) =>
  setApproval(database, systemActor('test'), businessId, to, reason)
/** Each starts when the nonce is read from the chain: after the first check, before anything is signed. */
const stops = [
  {
    what: 'a pause of its chain',
    begin: () => pauseSending(database.db, 'ethereum', 'test'),
    end: () => resumeSending(database.db, 'ethereum'),
    refusal: { status: 503, error: 'outgoing_paused' },
  },
  {
    what: 'a suspension of its business',
    begin: () => approval('suspended', 'papers'),
    end: () => approval('approved', null),
    refusal: { status: 403, error: 'business_suspended' },
  },
]

describe.each(stops)('in $what', ({ begin, end, refusal }) => {
  const stoppedMeanwhile = async () => {
    await begin()
    return 4n
  }

  test('a caller’s key signs nothing, and nothing is stored', async () => {
    const before = await stored()
    sender.nextNonce = stoppedMeanwhile
    await expect(send()).rejects.toMatchObject(refusal)
    expect([await stored(), broadcasts]).toEqual([before, 0])
  })

  test('a caller’s key does not replace a transaction whose nonce is used: the transfer stays as it was', async () => {
    sender = { nextNonce: async () => 4n, broadcast: async () => used, outcome: async () => gone }
    let asked = 0
    sender.nextNonce = () => (asked++ === 0 ? Promise.resolve(4n) : stoppedMeanwhile())
    const { id, status } = await send()
    expect([asked, status, broadcasts]).toEqual([2, 'pending', 1])
    expect(await readAttempts(database.db, id)).toMatchObject([{ number: 0, isVoid: false, sends: 1 }])
  })

  test('a transaction signed elsewhere is refused, and may be submitted afterwards', async () => {
    const id = newId()
    await database.db.query(
      `insert into prepared_transfers (id, business_id, chain, transfer, terms, nonce, expires_at)
       values ($1, $2, 'ethereum', $3, '{}', 4, now() + interval '1 hour')`,
      [
        id,
        businessId,
        writePrepared(
          { symbol: 'ETH', decimals: 18 },
          { ...transfer, from: `0x${id.replaceAll('-', '').padStart(40, '0')}` },
        ),
      ],
    )
    const submit = () => submitTransfer(ctx, { businessId, id, payload: '0x' }, async () => {})
    sender.nextNonce = stoppedMeanwhile
    await expect(submit()).rejects.toMatchObject(refusal)
    expect([(await stored()).includes(id), broadcasts]).toEqual([false, 0])
    await end()
    sender.nextNonce = async () => 4n
    expect(await submit()).toMatchObject({ id, status: 'pending' })
    expect(broadcasts).toBe(1)
  })
})

test('a caller’s key does not sign again if one node reports its nonce as used and another has its block a moment later', async () => {
  ctx.unminableMs = 60_000
  let asked = 0
  let first = ''
  const block = {
    succeeded: true,
    reason: null,
    blockHeight: 9,
    blockId: '0x9',
    standing: 'final',
    fee: 1n,
    gasUsed: 1n,
  } as const
  sender.broadcast = async () => used
  sender.outcome = async () => (asked++ < 2 ? gone : { status: 'included', txId: first, ...block })
  const { id } = await send((view) => {
    first ||= view.txHash ?? ''
  })
  expect([asked, broadcasts]).toEqual([3, 1])
  expect(await readAttempts(database.db, id)).toMatchObject([{ number: 0, isVoid: false, sends: 1 }])
})

test('a caller’s key signs again if slow nodes are late to report its nonce as used', async () => {
  ctx.unminableMs = 60_000
  let at = Date.now()
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => at)
  try {
    let asked = 0
    sender.broadcast = async () => (broadcasts === 1 ? used : { status: 'accepted', message: null })
    sender.outcome = async () => {
      at += asked++ === 0 ? 12_000 : 2000
      return asked === 1 ? { status: 'absent' } : gone
    }
    sender.nextNonce = async () => (broadcasts === 0 ? 40n : 41n)
    const { id } = await send()
    expect(broadcasts).toBe(2)
    expect(await readAttempts(database.db, id)).toMatchObject([
      { nonce: 40n, isVoid: true },
      { nonce: 41n, isVoid: false },
    ])
  } finally {
    clock.mockRestore()
  }
})
