import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { setApproval } from '../accounts/operateBusinesses.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { knownChain } from '../chains/registry.ts'
import type { Broadcast, Outcome, TransferBuilder, TransferIntent, TransferSender } from '../chains/sending.ts'
import type { SendingChain } from '../outgoing/context.ts'
import { readTransactions } from '../outgoing/outgoing.ts'
import { pauseOutgoing, resumeOutgoing } from '../outgoing/pause.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import { createOneByOne } from '../platform/oneByOne.ts'
import { Secret } from '../platform/secrets.ts'
import { createTransfer, type KeySendingContext } from './createTransfer.ts'
import { writeIntent } from './preparedIntent.ts'
import type { TransferView } from './presentTransfer.ts'
import { submitTransfer } from './submitTransfer.ts'

/** What comes while a transfer is under way from its first look at the chain to its signature; the chain's answers are a script. */

let database: TestDatabase
let businessId: string
let sender: { [K in 'nextSequence' | 'broadcast' | 'outcome']: () => Promise<unknown> }
let broadcasts: number
let ctx: KeySendingContext

const known = knownChain('ethereum')
if (!known) throw new Error('no ethereum')
const ethereum: SendingChain['chain'] = { ...known } as SendingChain['chain']
const signed = (sequence: bigint | null) => ({ txId: `${newId()}-${sequence}`, bytes: Buffer.from('signed'), expiry: null })
const builder: TransferBuilder = {
  unsigned: () => ({ payload: '0x', encoding: 'hex', signing: '0x' }),
  sign: (_intent, _terms, sequence) => signed(sequence),
  accept: (_intent, _terms, sequence) => signed(sequence),
  maxFee: () => 1n,
}
const used: Broadcast = { status: 'sequence_used', message: 'nonce too low' }
const gone: Outcome = { status: 'gone', reason: 'sequence_used', standing: 'final' }
const intent: TransferIntent = {
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
  await database.db.query("insert into businesses (id, name) values ($1, 'sender')", [businessId])
  const asked: TransferSender = {
    plan: async () => ({ terms: {}, fee: { expected: 1n, max: 1n }, besides: 0n, shortages: [] }),
    nextSequence: async () => (await sender.nextSequence()) as bigint,
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
    onChange: { transfer: async () => {} },
    lookMs: 1,
    stuckMs: null,
    goneMs: 1,
    environment: 'test',
    observe: () => {},
    ofAddress: createOneByOne(),
  }
})
beforeEach(async () => {
  broadcasts = 0
  ctx.goneMs = 1
  sender = {
    nextSequence: async () => 4n,
    broadcast: async () => ({ status: 'accepted', message: null }),
    outcome: async () => ({ status: 'absent' }),
  }
  for (const { end } of stops) await end()
})
afterAll(() => database?.drop())

const stored = async () => (await database.db.query<{ id: string }>('select id from outgoing order by id')).map(({ id }) => id)
const send = (remember: (view: TransferView) => void = () => {}) =>
  createTransfer(
    ctx,
    { chain: ethereum, intent, symbol: 'ETH', decimals: 18, businessId, from: intent.from, key: new Secret('key') },
    async (_db, view) => remember(view),
  )

const approval = (to: 'approved' | 'suspended', reason: string | null) => setApproval(database, systemActor('test'), businessId, to, reason)
/** Each comes after the first look at it, and before anything is signed: when the chain is asked for a sequence. */
const stops = [
  {
    what: 'a pause of its chain',
    begin: () => pauseOutgoing(database.db, 'ethereum', 'test'),
    end: () => resumeOutgoing(database.db, 'ethereum'),
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
    sender.nextSequence = stoppedMeanwhile
    await expect(send()).rejects.toMatchObject(refusal)
    expect([await stored(), broadcasts]).toEqual([before, 0])
  })

  test('a caller’s key signs nothing in the place of a transaction whose sequence is used: the transfer stays as it was', async () => {
    sender = { nextSequence: async () => 4n, broadcast: async () => used, outcome: async () => gone }
    let asked = 0
    sender.nextSequence = () => (asked++ === 0 ? Promise.resolve(4n) : stoppedMeanwhile())
    const { id, status } = await send()
    expect([asked, status, broadcasts]).toEqual([2, 'pending', 1])
    expect(await readTransactions(database.db, id)).toMatchObject([{ number: 0, isVoid: false, sends: 1 }])
  })

  test('a transaction that was signed elsewhere is not taken, and may be submitted afterwards', async () => {
    const id = newId()
    await database.db.query(
      `insert into prepared_transfers (id, business_id, chain, intent, terms, sequence, expires_at)
       values ($1, $2, 'ethereum', $3, '{}', 4, now() + interval '1 hour')`,
      [id, businessId, writeIntent({ symbol: 'ETH', decimals: 18 }, { ...intent, from: `0x${id.replaceAll('-', '').padStart(40, '0')}` })],
    )
    const submit = () => submitTransfer(ctx, { businessId, id, payload: '0x' }, async () => {})
    sender.nextSequence = stoppedMeanwhile
    await expect(submit()).rejects.toMatchObject(refusal)
    expect([(await stored()).includes(id), broadcasts]).toEqual([false, 0])
    await end()
    sender.nextSequence = async () => 4n
    expect(await submit()).toMatchObject({ id, status: 'pending' })
    expect(broadcasts).toBe(1)
  })
})

test('a caller’s key signs nothing anew where one node says that its sequence is used, and another one has its block a moment later', async () => {
  ctx.goneMs = 60_000
  let asked = 0
  let first = ''
  const block = { succeeded: true, reason: null, blockHeight: 9, blockId: '0x9', standing: 'final', fee: 1n, gasUsed: 1n } as const
  sender.broadcast = async () => used
  sender.outcome = async () => (asked++ < 2 ? gone : { status: 'included', txId: first, ...block })
  const { id } = await send((view) => {
    first ||= view.txHash ?? ''
  })
  expect([asked, broadcasts]).toEqual([3, 1])
  expect(await readTransactions(database.db, id)).toMatchObject([{ number: 0, isVoid: false, sends: 1 }])
})

test('a caller’s key signs anew where nodes that answer slowly begin late to say that its sequence is used', async () => {
  ctx.goneMs = 60_000
  let at = Date.now()
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => at)
  try {
    let asked = 0
    sender.broadcast = async () => (broadcasts === 1 ? used : { status: 'accepted', message: null })
    sender.outcome = async () => {
      at += asked++ === 0 ? 12_000 : 2000
      return asked === 1 ? { status: 'absent' } : gone
    }
    sender.nextSequence = async () => (broadcasts === 0 ? 40n : 41n)
    const { id } = await send()
    expect(broadcasts).toBe(2)
    expect(await readTransactions(database.db, id)).toMatchObject([
      { sequence: 40n, isVoid: true },
      { sequence: 41n, isVoid: false },
    ])
  } finally {
    clock.mockRestore()
  }
})
