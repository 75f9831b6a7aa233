import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { defaultSettings } from '../../test/support/defaultSettings.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { transfersWith } from '../../test/support/purposes.ts'
import type { Action } from '../chains/action.ts'
import { knownChain } from '../chains/registry.ts'
import type { ActionBuilder, ActionSender, Broadcast, Outcome } from '../chains/sending.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { readAttempts } from './attempts.ts'
import { broadcastAttempt } from './broadcastAttempt.ts'
import type { SendingChain, TxManagerContext } from './context.ts'
import { readIntents } from './intents.ts'
import { reconcileIntent } from './reconcile.ts'
import { transferPoints } from './sendNow.ts'
import { type SignedNow, signNow } from './signNow.ts'

/**
 * Interleavings that processes do not reach on time: an answer, or a reconcile, that another one has
 * overtaken. The chain is scripted; the rest is the product on a real database.
 */

let database: TestDatabase
let businessId: string
let changes: string[]
let chainSays: { broadcast: () => Promise<Broadcast>; outcome: () => Promise<Outcome> }

beforeAll(async () => {
  database = await createTestDatabase()
  businessId = newId()
  await insertBusiness(database.db, businessId, 'sender')
})
afterAll(() => database?.drop())

const nameOf = (action: Action) => (action.kind === 'transfer' ? action.to : 'calls')
const builder: ActionBuilder = {
  unsigned: () => ({ payload: '0x', encoding: 'hex', signing: '0x' }),
  sign: (transfer, terms, nonce) => ({
    txId: `${nameOf(transfer)}-${nonce}-${terms.fee}`,
    bytes: Buffer.from(`${nameOf(transfer)}-${nonce}`),
    expiry: null,
  }),
  accept: () => ({ refused: 'never' }),
  maxFee: (terms) => BigInt(String(terms.fee)),
  bumpFee: (terms) => ({ fee: `${BigInt(String(terms.fee)) * 2n}` }),
}
const sender: ActionSender = {
  plan: async () => ({ terms: { fee: '1' }, fee: { expected: 1n, max: 1n }, otherCosts: 0n, shortages: [] }),
  nextNonce: async () => 7n,
  broadcast: () => chainSays.broadcast(),
  outcome: () => chainSays.outcome(),
}
const ethereum = knownChain('ethereum')
if (!ethereum) throw new Error('no ethereum')
const chain = { chain: ethereum, builder, sender } as unknown as SendingChain
const ctx: TxManagerContext = {
  get db() {
    return database.db
  },
  log: createLog('test', 'silent'),
  sendingChain: async () => chain,
  prover: provers.worker,
  purposes: transfersWith(async (_tx, row, before) => void changes.push(`${before} to ${row.status}`)),
  reconcileMs: 1,
  bumpAfterMs: 1_000_000,
  unminableMs: 60_000,
  feeWaitMs: 3_600_000,
  settings: defaultSettings,
  environment: 'test',
  observe: () => {},
}

const points = ['api.transfer-sent', 'api.transfer-recorded'] as const
let addresses = 0

const newAddress = () => `0x${(addresses++).toString(16).padStart(40, '0')}`

/** An intent signed with a caller's key, its first send counted and not made. */
async function signed(address = newAddress()): Promise<SignedNow> {
  changes = []
  const transfer = {
    kind: 'transfer' as const,
    from: address,
    to: newAddress(),
    token: null,
    amount: 5n,
    memo: null,
    gasPrice: null,
    gasLimit: null,
  }
  const wanted = {
    businessId,
    purpose: 'transfer',
    chain: 'ethereum',
    signer: 'caller',
    walletId: null,
    action: transfer,
    symbol: 'ETH',
    decimals: 18,
  } as const
  const signing = { key: new Secret('key'), isInTime: () => true, points: transferPoints }
  const [signed] = await signNow(
    ctx,
    chain,
    [{ wanted, plan: await sender.plan(transfer) }],
    signing,
    async () => {},
  )
  if (!signed) throw new Error('nothing was signed')
  return signed
}
const rowOf = async ({ row: { id } }: SignedNow) => (await readIntents(database.db, 'id = $1', [id]))[0]
const dueNow = ({ row: { id } }: SignedNow) =>
  database.db.query("update intents set next_reconcile_at = now() - interval '1 s' where id = $1", [id])
const ownsNonce = async ({ row: { id } }: SignedNow) =>
  (await database.db.query('select 1 from intent_nonces where intent_id = $1', [id])).length === 1

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

test('a used nonce is not given to a request that read the chain before, and is not kept for longer than that takes', async () => {
  const address = newAddress()
  const settled = async () => {
    const each = await signed(address)
    chainSays = {
      broadcast: async () => accepted,
      outcome: async () =>
        included(
          `${each.row.action.kind === 'transfer' && each.row.action.to}-${each.sending.nonce}-1`,
          'final',
        ),
    }
    await broadcastAttempt(ctx, chain, each.row, each.sending, points)
    await dueNow(each)
    await reconcileIntent(ctx, each.row.id)
    expect(await rowOf(each)).toMatchObject({ status: 'confirmed', settled: true })
    return each
  }
  const first = await settled()
  // The chain's answer is from before that block.
  const second = await settled()
  expect([first.sending.nonce, second.sending.nonce]).toEqual([7n, 8n])
  await database.db.query(
    "update intents set updated_at = now() - interval '11 minutes' where id = any($1)",
    [[first.row.id, second.row.id]],
  )
  const third = await settled()
  expect([await ownsNonce(first), await ownsNonce(second), await ownsNonce(third)]).toEqual([
    false,
    false,
    true,
  ])
})

describe('an answer to the first send', () => {
  test('that refuses it fails the transfer, frees its nonce and deletes its bytes', async () => {
    const one = await signed()
    chainSays = { broadcast: async () => refused, outcome: async () => ({ status: 'absent' }) }
    await broadcastAttempt(ctx, chain, one.row, one.sending, points)
    expect(await rowOf(one)).toMatchObject({
      status: 'failed',
      reason: 'refused',
      message: 'insufficient funds',
    })
    expect(await ownsNonce(one)).toBe(false)
    expect((await readAttempts(database.db, one.row.id)).every((each) => each.signed === null)).toBe(true)
    expect(changes).toEqual(['signed to failed'])
  })

  test('that refuses it changes nothing if a worker has sent it meanwhile', async () => {
    const one = await signed()
    let answer: (said: Broadcast) => void = () => {}
    chainSays = {
      broadcast: () =>
        new Promise((resolve) => {
          answer = resolve
        }),
      outcome: async () => ({ status: 'absent' }),
    }
    const slow = broadcastAttempt(ctx, chain, one.row, one.sending, points)
    await dueNow(one)
    const answerSlow = answer
    chainSays = { ...chainSays, broadcast: async () => accepted }
    await reconcileIntent(ctx, one.row.id)
    answerSlow(refused)
    await slow
    expect(await rowOf(one)).toMatchObject({ status: 'broadcast', reason: null })
    expect(await ownsNonce(one)).toBe(true)
    expect((await readAttempts(database.db, one.row.id))[0]).toMatchObject({
      sends: 2,
      acceptedAt: expect.any(Date),
      signed: expect.anything(),
    })
    expect(changes).toEqual([])
  })

  test('that refuses it again, after an unknown one, keeps bytes and nonce', async () => {
    const one = await signed()
    await database.db.query('update intent_attempts set sends = 2 where intent_id = $1 and number = 0', [
      one.row.id,
    ])
    chainSays = { broadcast: async () => refused, outcome: async () => ({ status: 'absent' }) }
    await broadcastAttempt(ctx, chain, one.row, one.sending, points)
    expect(await rowOf(one)).toMatchObject({ status: 'unknown', reason: null })
    expect(await ownsNonce(one)).toBe(true)
  })
})

describe('a reconcile that another one has overtaken', () => {
  /** Starts a reconcile whose request to the chain the test answers later. */
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
    const looking = reconcileIntent(ctx, one.row.id)
    await asked
    return async (outcome: Outcome) => {
      answer(outcome)
      await looking
    }
  }

  test('writes nothing: a settled intent stays settled', async () => {
    const one = await signed()
    const finish = await slowLook(one)
    await dueNow(one)
    chainSays = {
      broadcast: async () => accepted,
      outcome: async () => included(one.sending.signed.txId, 'final'),
    }
    await reconcileIntent(ctx, one.row.id)
    expect(await rowOf(one)).toMatchObject({ status: 'confirmed', settled: true })
    const before = await rowOf(one)
    await finish({ status: 'unminable', reason: 'sequence_used', standing: 'final' })
    expect(await rowOf(one)).toEqual(before)
    expect(changes).toEqual(['signed to confirmed'])
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
    await reconcileIntent(ctx, one.row.id)
    expect(sends).toBe(1)
    await finish({ status: 'absent' })
    expect(sends).toBe(1)
  })
})

test('an attempt that was sent and given up is queried, and reported when it is mined after all', async () => {
  const one = await signed()
  chainSays = { broadcast: async () => refused, outcome: async () => ({ status: 'absent' }) }
  await broadcastAttempt(ctx, chain, one.row, one.sending, points)
  expect(await rowOf(one)).toMatchObject({ status: 'failed' })
  chainSays = {
    broadcast: async () => refused,
    outcome: async () => included(one.sending.signed.txId, 'final'),
  }
  await dueNow(one)
  await reconcileIntent(ctx, one.row.id)
  expect(await rowOf(one)).toMatchObject({ status: 'confirmed', reason: null, settled: true })
  expect(changes).toEqual(['signed to failed', 'failed to confirmed'])
})
