import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ConfiguredChain } from '../../src/chains/registry.ts'
import type { PlatformKeys } from '../../src/custody/platformAddresses.ts'
import type { Prover } from '../../src/custody/proof.ts'
import { sentToday } from '../../src/outflows/dailyLimit.ts'
import { outflowPurpose } from '../../src/outflows/outflowPurpose.ts'
import { readSettings } from '../../src/platform/config.ts'
import { type Db, openDb, type Tx } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { pause } from '../../src/platform/wait.ts'
import { type Intent, readIntents, type TreasuryFacts } from '../../src/txmgr/intents.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import type { TestDatabase } from '../support/database.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { urlAs } from '../support/template.ts'
import { forgedDestinations } from './forgedPayouts/forgedDestinations.ts'
import { forgedIntents } from './forgedPayouts/forgedIntents.ts'
import { forgedOutflows } from './forgedPayouts/forgedOutflows.ts'
import { asWorker, forged } from './forgedPayouts/forgery.ts'
import {
  approve,
  customer,
  forger,
  goesBack,
  honest,
  isSigned,
  newWallet,
  openForging,
  other,
  partner,
  paying,
  refund,
  request,
  signatures,
  stored,
  thief,
  unapproved,
  usdc,
} from './forgedPayouts/forging.ts'

/**
 * The treasury pays out nothing but what an outflow requests, even with the worker's proof: a thief who has
 * the worker's key can pay a business's money to wallets that its owner has saved, and never to another.
 */

let database: TestDatabase
let treasuryDb: Db
let ctx: SigningContext
let keys: PlatformKeys
let chain: ConfiguredChain
let close: () => Promise<void>

beforeAll(async () => {
  ;({ database, treasuryDb, ctx, keys, chain, close } = await openForging())
})
afterAll(() => close?.())

test('in good faith a payout, a refund, a return of suspense, and one in another token are signed, each once', async () => {
  const [payout, back, returned] = [await honest({ fee: 20n }), await refund(), await goesBack()]
  const exchanged = await honest({
    token: 'USDT',
    wallet: { chain: 'ethereum', token: 'USDC', address: customer, memo: null, amount: 500n },
    address: customer,
  })
  const ids = [
    await stored(paying(payout), payout),
    await stored(paying(back), back),
    await stored(paying(exchanged), exchanged),
    await stored(paying(returned), returned),
  ]
  for (const id of ids) expect(await isSigned(id)).toBe(true)
  const rows = await readIntents(database.db, 'id = any($1::uuid[])', [ids])
  expect(rows.map(({ status }) => status)).toEqual(['signed', 'signed', 'signed', 'signed'])
})

test('a payout that a second owner has approved is signed', async () => {
  const payout = await unapproved()
  await approve(payout, provers.api)
  expect(await isSigned(await stored(paying(payout), payout))).toBe(true)
})

test("a top-up to the address of the treasury's own settings is signed", async () => {
  const { outflow, wanted } = await forged(refund, (made) =>
    asWorker(made, "kind = 'top_up', business_id = null, to_address = $2", [partner]),
  )
  expect(await isSigned(await stored(wanted, outflow))).toBe(true)
})

const forgeries = [...forgedIntents, ...forgedOutflows, ...forgedDestinations]

describe('with a valid proof of the worker for the intent', () => {
  test.each(forgeries)(
    '$what is refused; with its checks off it is signed',
    async ({ forge, checks, why }) => {
      const make = async () => {
        const { wanted, outflow } = await forge()
        return stored(wanted, outflow)
      }
      const id = await make()
      expect(await isSigned(id)).toBe(false)
      const [row] = await readIntents(database.db, 'id = $1', [id])
      expect(row).toMatchObject({ status: 'failed', reason: 'policy', message: expect.stringMatching(why) })
      for (const check of checks) {
        const others = checks.filter((each) => each !== check)
        if (others.length > 0) expect([check, await isSigned(await make(), others)]).toEqual([check, false])
      }
      expect(await isSigned(await make(), checks)).toBe(true)
    },
  )

  const statuses = ['awaiting_approval', 'pending', 'unknown', 'completed', 'failed', 'cancelled'] as const
  test.each(statuses)(
    'one whose outflow is %s is refused; with the check off it is signed',
    async (status) => {
      const make = async () => {
        const outflow = await honest()
        const id = await stored(paying(outflow), outflow)
        await database.db.query(
          `update outflows set status = $2, completed_at = case when $2 = 'completed' then now() end, next_at = null where id = $1`,
          [outflow.id, status],
        )
        return id
      }
      const id = await make()
      expect(await isSigned(id)).toBe(false)
      expect((await readIntents(database.db, 'id = $1', [id]))[0]?.message).toBe(`its outflow is ${status}`)
      expect(await isSigned(await make(), ['policy'])).toBe(true)
    },
  )

  test('a transaction again of one that an operator has ended is refused; with the check off it is signed', async () => {
    const make = async () => {
      const outflow = await honest()
      const id = await stored(paying(outflow), outflow)
      await treasuryDb.query('insert into outflow_signatures (outflow_id, intent_id) values ($1, $2)', [
        outflow.id,
        id,
      ])
      await database.db.query(
        "update outflows set status = 'completed', completed_at = now(), next_at = null, ended_by = 'ada', evidence = 'an explorer' where id = $1",
        [outflow.id],
      )
      return id
    }
    const id = await make()
    expect(await isSigned(id)).toBe(false)
    expect((await readIntents(database.db, 'id = $1', [id]))[0]?.message).toBe(
      'its outflow was ended by hand',
    )
    expect(await isSigned(await make(), ['policy'])).toBe(true)
  })

  test('one that belongs to no outflow is refused; with the check off it is signed', async () => {
    const make = async () => stored(paying(await honest()), { id: newId() })
    expect(await isSigned(await make())).toBe(false)
    expect(await isSigned(await make(), ['policy', 'action'])).toBe(true)
  })

  test('a second intent of an outflow whose first is signed is refused, with any rows of the first; with the check off it is signed', async () => {
    const make = async () => {
      const outflow = await honest()
      const first = await stored(paying(outflow), outflow)
      expect(await isSigned(first)).toBe(true)
      await database.db.query(
        "update intents set status = 'failed', reason = 'insufficient_balance', next_reconcile_at = null where id = $1",
        [first],
      )
      return stored(paying(outflow), outflow)
    }
    const second = await make()
    expect(await isSigned(second)).toBe(false)
    expect((await readIntents(database.db, 'id = $1', [second]))[0]?.message).toBe(
      'another transaction of its outflow is signed',
    )
    expect(await isSigned(await make(), ['policy'])).toBe(true)
  })

  test('a second intent is signed where nothing of the first was', async () => {
    const outflow = await honest()
    const first = await stored(paying(outflow, { to: thief }), outflow)
    expect(await isSigned(first)).toBe(false)
    expect(await isSigned(await stored(paying(outflow), outflow))).toBe(true)
  })

  test('a second transaction of a payout at another nonce is not signed; with that check off it is', async () => {
    const make = async () => {
      const outflow = await honest()
      const id = await stored(paying(outflow), outflow)
      expect(await isSigned(id)).toBe(true)
      await request(id, 700n)
      return id
    }
    const first = await make()
    await signPending(ctx)
    expect(await signatures(first)).toBe(1)
    const second = await make()
    await signPending({ ...ctx, without: ['signed before'] })
    expect(await signatures(second)).toBe(2)
  })

  test('beyond the daily limit it is refused, even where the worker requests it; with the check off it is signed', async () => {
    const room = (await sentToday(database.db, 'ethereum', usdc)) + 499n
    const signing = await ctx.signing('ethereum')
    const limited: SigningContext = {
      ...ctx,
      signing: async () =>
        signing && { ...signing, chain: { ...signing.chain, dailyLimits: new Map([['USDC', room]]) } },
    }
    const make = async () => {
      const outflow = await honest()
      return stored(paying(outflow), outflow)
    }
    const id = await make()
    await signPending(limited)
    expect([await signatures(id), (await readIntents(database.db, 'id = $1', [id]))[0]?.message]).toEqual([
      0,
      'the daily limit of USDC on ethereum is reached',
    ])
    const again = await make()
    await signPending({ ...limited, without: ['policy'] })
    expect(await signatures(again)).toBe(1)
  })

  test('of two treasuries that sign at a time, one takes what is left of the day', async () => {
    const room = (await sentToday(database.db, 'ethereum', usdc)) + 999n
    const settings: TreasuryFacts['settings'] = (of) => readSettings('treasury', of, {})
    const facts = {
      addresses: keys,
      chain: { ...chain, dailyLimits: new Map([['USDC', room]]) },
      proofs,
      settings,
    }
    const outflows = [await honest(), await honest()]
    const ids = await Promise.all(outflows.map((outflow) => stored(paying(outflow), outflow)))
    const rows = await readIntents(database.db, 'id = any($1::uuid[]) order by id', [ids])
    const check = (tx: Tx, index: number) => outflowPurpose.policy.check(tx, rows[index] as Intent, facts)
    const second = await treasuryDb.tx(async (tx) => {
      expect(await check(tx, 0)).toBeNull()
      await tx.query(
        "insert into treasury_signatures (intent_id, chain, tx_id) values ($1, 'ethereum', 'made')",
        [rows[0]?.id],
      )
      const waiting = treasuryDb.tx((other) => check(other, 1))
      await pause(300)
      return { waiting }
    })
    expect(await second.waiting).toBe('the daily limit of USDC on ethereum is reached')
  })

  test("a suspended business's payout stays unsigned, and blocks no other; it is signed when the business is approved again", async () => {
    const set = (approval: string) =>
      database.db.query('update businesses set approval = $2 where id = $1', [other, approval])
    await set('suspended')
    const held: string[] = []
    for (let i = 0; i < 25; i++) {
      const outflow = await honest({ amount: 5n, address: newWallet() }, other)
      held.push(await stored(paying(outflow), outflow))
    }
    const outflow = await honest()
    expect(await isSigned(await stored(paying(outflow), outflow))).toBe(true)
    expect(
      await readIntents(database.db, 'id = any($1::uuid[]) and status <> $2', [held, 'created']),
    ).toEqual([])
    await set('approved')
    await signPending(ctx)
    await signPending(ctx)
    expect(await Promise.all(held.map(signatures))).toEqual(held.map(() => 1))
  })
})

const unproven: [string, Prover | null][] = [
  ["with the api's proof", provers.api],
  ["with a proof by the forger's own key", forger],
  ['without a proof', null],
]
test.each(unproven)('a payout %s is not signed; with that check off it is', async (_what, prover) => {
  const make = async () => {
    const outflow = await honest()
    return stored(paying(outflow), outflow, prover)
  }
  expect(await isSigned(await make())).toBe(false)
  expect(await isSigned(await make(), ['intent proof'])).toBe(true)
})

test("no other process writes the treasury's record of outflows", async () => {
  for (const role of ['api', 'worker', 'indexer'] as const) {
    const db = openDb(urlAs(role, database.url), 1)
    for (const sql of [
      'insert into outflow_signatures values ($1, $1)',
      'delete from outflow_signatures where intent_id = $1',
    ])
      await expect(db.query(sql, [newId()])).rejects.toThrow('permission denied')
    await db.close()
  }
  await expect(treasuryDb.query('delete from outflow_signatures')).rejects.toThrow('permission denied')
})
