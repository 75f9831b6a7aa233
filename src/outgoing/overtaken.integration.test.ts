import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { knownChain } from '../chains/registry.ts'
import type { Broadcast, Outcome, TransferBuilder, TransferSender } from '../chains/sending.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import { Secret } from '../platform/secrets.ts'
import type { OutgoingContext, SendingChain } from './context.ts'
import { deliver } from './deliver.ts'
import { lookAtOutgoing } from './look.ts'
import { readOutgoing, readTransactions } from './outgoing.ts'
import { type SignedNow, signNow } from './signNow.ts'

/**
 * Interleavings that no process can be made to run into on time: an answer, or a look, that comes when another one has been there. The
 * chain is a script here; everything else is the product on a real database.
 */

let database: TestDatabase
let businessId: string
let told: string[]
let chainSays: { broadcast: () => Promise<Broadcast>; outcome: () => Promise<Outcome> }

beforeAll(async () => {
  database = await createTestDatabase()
  businessId = newId()
  await database.db.query("insert into businesses (id, name) values ($1, 'sender')", [businessId])
})
afterAll(() => database?.drop())

const builder: TransferBuilder = {
  unsigned: () => ({ payload: '0x', encoding: 'hex', signing: '0x' }),
  sign: (intent, terms, sequence) => ({
    txId: `${intent.to}-${sequence}-${terms.fee}`,
    bytes: Buffer.from(`${intent.to}-${sequence}`),
    expiry: null,
  }),
  accept: () => ({ refused: 'never' }),
  maxFee: (terms) => BigInt(String(terms.fee)),
  dearer: (terms) => ({ fee: `${BigInt(String(terms.fee)) * 2n}` }),
}
const sender: TransferSender = {
  plan: async () => ({ terms: { fee: '1' }, fee: { expected: 1n, max: 1n }, besides: 0n, shortages: [] }),
  nextSequence: async () => 7n,
  broadcast: () => chainSays.broadcast(),
  outcome: () => chainSays.outcome(),
}
const ethereum = knownChain('ethereum')
if (!ethereum) throw new Error('no ethereum')
const chain = { chain: ethereum, builder, sender } as unknown as SendingChain
const ctx: OutgoingContext = {
  get db() {
    return database.db
  },
  log: createLog('test', 'silent'),
  sendingChain: async () => chain,
  prover: provers.worker,
  onChange: { transfer: async (_tx, row, before) => void told.push(`${before} to ${row.status}`) },
  lookMs: 1,
  stuckMs: 1_000_000,
  goneMs: 60_000,
  environment: 'test',
  observe: () => {},
}

const points = ['api.transfer-sent', 'api.transfer-recorded'] as const
let addresses = 0

const newAddress = () => `0x${(addresses++).toString(16).padStart(40, '0')}`

/** An intent that is signed with a caller's key, its first send counted; nothing was told to the network. */
async function signed(address = newAddress()): Promise<SignedNow> {
  told = []
  const intent = { from: address, to: `0xb${addresses}`, token: null, amount: 5n, memo: null, gasPrice: null, gasLimit: null }
  const wanted = {
    businessId,
    purpose: 'transfer',
    chain: 'ethereum',
    signer: 'caller',
    walletId: null,
    intent,
    symbol: 'ETH',
    decimals: 18,
  } as const
  return signNow(ctx, chain, wanted, await sender.plan(intent), new Secret('key'), async () => {})
}
const rowOf = async ({ row: { id } }: SignedNow) => (await readOutgoing(database.db, 'id = $1', [id]))[0]
const dueNow = ({ row: { id } }: SignedNow) => database.db.query("update outgoing set next_look_at = now() - interval '1 s' where id = $1", [id])
const ownsSequence = async ({ row: { id } }: SignedNow) =>
  (await database.db.query('select 1 from outgoing_sequences where outgoing_id = $1', [id])).length === 1

const refused: Broadcast = { status: 'refused', message: 'insufficient funds' }
const accepted: Broadcast = { status: 'accepted', message: null }
const included = (txId: string, standing: 'seen' | 'final'): Outcome => ({
  status: 'included',
  txId,
  succeeded: true,
  reason: null,
  blockHeight: 9,
  blockId: '0x9',
  standing,
  fee: 1n,
  gasUsed: 1n,
})

test('a sequence that was used for good is not given to a request that asked the chain before, nor kept for longer than that takes', async () => {
  const address = newAddress()
  const settled = async () => {
    const each = await signed(address)
    chainSays = { broadcast: async () => accepted, outcome: async () => included(`${each.row.intent.to}-${each.sending.sequence}-1`, 'final') }
    await deliver(ctx, chain, each.row, each.sending, points)
    await dueNow(each)
    await lookAtOutgoing(ctx, each.row.id)
    expect(await rowOf(each)).toMatchObject({ status: 'confirmed', settled: true })
    return each
  }
  const first = await settled()
  // The chain's word is still the one from before that block.
  const second = await settled()
  expect([first.sending.sequence, second.sending.sequence]).toEqual([7n, 8n])
  await database.db.query("update outgoing set updated_at = now() - interval '11 minutes' where id = any($1)", [[first.row.id, second.row.id]])
  const third = await settled()
  expect([await ownsSequence(first), await ownsSequence(second), await ownsSequence(third)]).toEqual([false, false, true])
})

describe('an answer to the first send', () => {
  test('that it is refused fails the intent, frees its sequence and throws its bytes away', async () => {
    const one = await signed()
    chainSays = { broadcast: async () => refused, outcome: async () => ({ status: 'absent' }) }
    await deliver(ctx, chain, one.row, one.sending, points)
    expect(await rowOf(one)).toMatchObject({ status: 'failed', reason: 'refused', message: 'insufficient funds' })
    expect(await ownsSequence(one)).toBe(false)
    expect((await readTransactions(database.db, one.row.id)).every((each) => each.signed === null)).toBe(true)
    expect(told).toEqual(['signed to failed'])
  })

  test('that it is refused counts for nothing when a worker has sent it meanwhile', async () => {
    const one = await signed()
    let answer: (said: Broadcast) => void = () => {}
    chainSays = {
      broadcast: () =>
        new Promise((resolve) => {
          answer = resolve
        }),
      outcome: async () => ({ status: 'absent' }),
    }
    const slow = deliver(ctx, chain, one.row, one.sending, points)
    await dueNow(one)
    const answerSlow = answer
    chainSays = { ...chainSays, broadcast: async () => accepted }
    await lookAtOutgoing(ctx, one.row.id)
    answerSlow(refused)
    await slow
    expect(await rowOf(one)).toMatchObject({ status: 'broadcast', reason: null })
    expect(await ownsSequence(one)).toBe(true)
    expect((await readTransactions(database.db, one.row.id))[0]).toMatchObject({ sends: 2, acceptedAt: expect.any(Date), signed: expect.anything() })
    expect(told).toEqual([])
  })

  test('that it is refused, when the same was refused before and nobody knows who has it, keeps bytes and sequence', async () => {
    const one = await signed()
    await database.db.query('update outgoing_transactions set sends = 2 where outgoing_id = $1 and number = 0', [one.row.id])
    chainSays = { broadcast: async () => refused, outcome: async () => ({ status: 'absent' }) }
    await deliver(ctx, chain, one.row, one.sending, points)
    expect(await rowOf(one)).toMatchObject({ status: 'unknown', reason: null })
    expect(await ownsSequence(one)).toBe(true)
  })
})

describe('a look that another one has overtaken', () => {
  /** Begins a look whose question to the chain is answered when the test says so. */
  async function slowLook(one: SignedNow) {
    let answer: (outcome: Outcome) => void = () => {}
    const asked = new Promise<void>((resolveAsked) => {
      chainSays = {
        broadcast: async () => accepted,
        outcome: () => {
          resolveAsked()
          return new Promise((resolve) => {
            answer = resolve
          })
        },
      }
    })
    await dueNow(one)
    const looking = lookAtOutgoing(ctx, one.row.id)
    await asked
    return async (outcome: Outcome) => {
      answer(outcome)
      await looking
    }
  }

  test('writes nothing: what is settled stays settled', async () => {
    const one = await signed()
    const finish = await slowLook(one)
    await dueNow(one)
    chainSays = { broadcast: async () => accepted, outcome: async () => included(one.sending.signed.txId, 'final') }
    await lookAtOutgoing(ctx, one.row.id)
    expect(await rowOf(one)).toMatchObject({ status: 'confirmed', settled: true })
    const before = await rowOf(one)
    await finish({ status: 'gone', reason: 'sequence_used', standing: 'final' })
    expect(await rowOf(one)).toEqual(before)
    expect(told).toEqual(['signed to confirmed'])
  })

  test('sends nothing', async () => {
    const one = await signed()
    const finish = await slowLook(one)
    await dueNow(one)
    let sends = 0
    chainSays = {
      broadcast: async () => {
        sends++
        return accepted
      },
      outcome: async () => ({ status: 'absent' }),
    }
    await lookAtOutgoing(ctx, one.row.id)
    expect(sends).toBe(1)
    await finish({ status: 'absent' })
    expect(sends).toBe(1)
  })
})

test('what was given up and had been sent is asked about, and told when it comes after all', async () => {
  const one = await signed()
  chainSays = { broadcast: async () => refused, outcome: async () => ({ status: 'absent' }) }
  await deliver(ctx, chain, one.row, one.sending, points)
  expect(await rowOf(one)).toMatchObject({ status: 'failed' })
  chainSays = { broadcast: async () => refused, outcome: async () => included(one.sending.signed.txId, 'final') }
  await dueNow(one)
  await lookAtOutgoing(ctx, one.row.id)
  expect(await rowOf(one)).toMatchObject({ status: 'confirmed', reason: null, settled: true })
  expect(told).toEqual(['signed to failed', 'failed to confirmed'])
})
