import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { TestDatabase } from '../../test/support/database.ts'
import { intentOf } from '../../test/support/evmIntents.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { giveBalance } from '../../test/support/madePayout.ts'
import { makePaidSession, someAddress } from '../../test/support/madeRefunds.ts'
import { transfers } from '../../test/support/purposes.ts'
import { chains, createSessionDatabase } from '../../test/support/sessionDatabase.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { makeWallet } from '../../test/support/waitingTransfer.ts'
import type { KeyInUse } from '../apiKeys/findKey.ts'
import { generateApiKey } from '../apiKeys/form.ts'
import { storeKey } from '../apiKeys/storeKey.ts'
import { knownChain } from '../chains/registry.ts'
import { createPayout } from '../payouts/createPayout.ts'
import { createOneByOne } from '../platform/database/oneByOne.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createRefund } from '../refunds/createRefund.ts'
import type { SendLimits } from '../spendingLimits/limits.ts'
import { requireWithinLimits } from '../spendingLimits/requireWithin.ts'
import { insertIntent } from '../txmgr/intents.ts'

// The limits of a key bind its transfers, refunds and payouts together. USDC on ethereum.

const million = 1_000_000n
const payee = `0x${'34'.repeat(20)}`
let database: TestDatabase
let businessId: string
let key: KeyInUse
let sessionId: string
let walletId: string

beforeAll(async () => {
  database = await createSessionDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  const { db } = database
  businessId = newId()
  await insertBusiness(db, businessId, 'one')
  await giveBalance(db, businessId, { chain: 'ethereum', token: 'USDC' }, 10_000n * million)
  key = (await makeKey()) as unknown as KeyInUse
  sessionId = (await makePaidSession(db, businessId, 1000)).id
  walletId = await makeWallet(db, businessId)
})

const permissions = [
  'payouts:create',
  'payouts:destinations',
  'refunds:create',
  'refunds:address',
  'wallets:send',
]
const makeKey = () =>
  storeKey(database, { businessId, name: 'till', scope: 'write', permissions, key: generateApiKey('test') })

const setLimits = ({
  amounts,
  destinations = null,
}: {
  amounts?: Record<string, string>
  destinations?: SendLimits['destinations']
}) => {
  const usdc = {
    chain: 'ethereum',
    token: 'usdc',
    perTransfer: null,
    perDay: null,
    approvalAbove: null,
    ...amounts,
  }
  return database.db.query(
    `insert into send_limits (subject, subject_id, business_id, amounts, destinations) values ('key', $1, $2, $3, $4)
     on conflict (subject, subject_id) do update set amounts = excluded.amounts, destinations = excluded.destinations`,
    [
      key.rootId,
      businessId,
      amounts ? JSON.stringify([usdc]) : null,
      destinations && JSON.stringify(destinations),
    ],
  )
}

/** Whether it waits for an approval; or the limit that refuses it, with the field. */
const outcome = (asked: Promise<{ status: string }>): Promise<string> =>
  asked
    .then(({ status }) => status)
    .catch((error) =>
      error.fields ? `${error.fields[0].field} ${/\((\w+)\)$/.exec(error.message)?.[1]}` : error,
    )

const refund = (amount: number, to: object = { toAddress: payee }, by: KeyInUse | null = key) => {
  const ctx = {
    db: database.db,
    chains,
    maker: { madeBy: 'api', prover: provers.api },
    issuer: 'http://localhost',
    claimDays: 7,
  } as const
  const caller = { businessId, account: null, apiKey: by }
  return outcome(
    createRefund(
      { ...ctx, coinUsd: new Map() },
      caller,
      sessionId,
      { amount: String(amount), ...to },
      async () => {},
    ),
  )
}
const payout = (amount: number, address = payee) => {
  const ctx = {
    ...{
      db: database.db,
      chains,
      rates: null,
      paymentPartner: null,
      coinUsd: new Map(),
      appKey: new Secret('a'.repeat(64)),
      prover: provers.api,
    },
    ...{ oneByOne: createOneByOne(), requestKey: async () => new Secret('b'.repeat(64)) },
  }
  const actor = { kind: 'api_key', id: key.id, label: 'till', address: null, requestId: null } as const
  const caller = { businessId, actor, accountId: null, apiKeyId: key.id, keyRootId: key.rootId, saves: true }
  const wanted = {
    amount: String(amount),
    source: { chain: 'ethereum', token: 'USDC' },
    destination: { kind: 'wallet', chain: 'ethereum', address },
  }
  return outcome(createPayout(ctx as never, caller as never, wanted as never, async () => {}))
}
const send = (amount: number, held: Promise<void> = Promise.resolve()) => {
  const contract = knownChain('ethereum')?.tokens.find(({ symbol }) => symbol === 'USDC')?.contract ?? ''
  const of = { chain: 'ethereum', symbol: 'USDC', decimals: 6, amount: BigInt(amount) * million }
  return outcome(
    database.db.tx(async (tx) => {
      const wanted = {
        ...of,
        contract,
        token: 'usdc',
        walletId,
        memo: null,
        to: payee,
        keyRootId: key.rootId,
      } as const
      const { approval } = await requireWithinLimits(tx, wanted)
      const action = {
        ...intentOf({ from: `0x${'12'.repeat(20)}`, to: payee, amount: of.amount }),
        token: { contract, symbol: 'USDC', decimals: 6 },
      }
      const intent = {
        id: newId(),
        businessId,
        purpose: 'transfer',
        signer: 'wallet',
        ...of,
        walletId,
        action,
        needsApproval: approval,
      }
      await insertIntent(
        transfers,
        tx,
        { ...intent, askedBy: { apiKeyId: key.id, accountId: null } } as never,
        0,
        provers.api,
      )
      await held
      return { status: approval ? 'awaiting_approval' : 'pending' }
    }),
  )
}

describe.each([
  ['refunds', refund],
  ['payouts', payout],
  ['transfers', send],
])('%s of a key', (_name, ask) => {
  test('are bound by its limit for one, and for a day', async () => {
    await setLimits({ amounts: { perTransfer: '50', perDay: '80' } })
    expect(await ask(51)).toMatch(/^amount perTransfer$/)
    expect([await ask(50), await ask(31), await ask(30), await ask(1)]).toEqual([
      'pending',
      'amount perDay',
      'pending',
      'amount perDay',
    ])
  })

  test('count together with its others', async () => {
    await setLimits({ amounts: { perDay: '100' } })
    expect([await refund(30), await payout(30), await send(30)]).toEqual(['pending', 'pending', 'pending'])
    expect([await ask(11), await ask(10), await ask(1)]).toEqual([
      'amount perDay',
      'pending',
      'amount perDay',
    ])
  })

  test('need a second owner above its amount, together with those of a day', async () => {
    await setLimits({ amounts: { approvalAbove: '50' } })
    expect([await refund(20), await payout(20), await ask(10), await ask(1)]).toEqual([
      'pending',
      'pending',
      'pending',
      'awaiting_approval',
    ])
  })
})

test('20 requests at once never exceed the limit of a day', async () => {
  await setLimits({ amounts: { perDay: '75' } })
  const kinds = [refund, payout, send]
  const asked = Array.from({ length: 20 }, (_, index) => kinds[index % 3]?.(10))
  const answers = await Promise.all(asked)
  expect(answers.filter((each) => each === 'pending')).toHaveLength(7)
  expect(answers.filter((each) => each === 'amount perDay')).toHaveLength(13)
}, 60_000)

test('a refund waits for a transfer of the same key that is being stored, and counts it', async () => {
  await setLimits({ amounts: { perDay: '10' } })
  const over = Promise.withResolvers<void>()
  const locks = (granted: boolean) =>
    database.db.query(
      `select 1 from pg_locks where locktype = 'advisory' and granted = $1
       and database = (select oid from pg_database where datname = current_database())`,
      [granted],
    )
  const sending = send(10, over.promise)
  let isDone = false
  let refunding: Promise<string> | undefined
  try {
    await waitFor('the locks of the transfer', async () => (await locks(true)).length >= 2)
    refunding = refund(10).finally(() => {
      isDone = true
    })
    await waitFor('the refund', async () => isDone || (await locks(false)).length > 0)
  } finally {
    over.resolve()
  }
  expect([await sending, await refunding]).toEqual(['pending', 'amount perDay'])
})

test('what failed or was cancelled does not count, nor what is older than a day and has ended', async () => {
  await setLimits({ amounts: { perDay: '10' } })
  const old = "created_at = now() - interval '25 hours', counted_at = now() - interval '25 hours'"
  for (const change of [
    "status = 'cancelled'",
    `status = 'completed', completed_at = now() - interval '25 hours', ${old}`,
  ]) {
    expect([await refund(10), await refund(1)]).toEqual(['pending', 'amount perDay'])
    await database.db.query(
      `update outflows set ${change}, next_at = null where business_id = $1 and status = 'pending'`,
      [businessId],
    )
  }
  expect(await payout(10)).toBe('pending')
  await database.db.query(`update outflows set ${old} where status = 'pending' and business_id = $1`, [
    businessId,
  ])
  expect(await payout(1)).toBe('amount perDay')
})

test('a list of destinations binds refunds and payouts; what names no address is refused', async () => {
  await setLimits({ destinations: [{ chain: 'ethereum', address: payee }] })
  expect([await refund(1), await payout(1)]).toEqual(['pending', 'pending'])
  expect(await refund(1, { toAddress: someAddress() })).toBe('toAddress destinations')
  expect(await payout(1, someAddress())).toBe('destination destinations')
  expect(await refund(1, { claim: true })).toBe('claim destinations')
})

test('a token that the list of amounts does not name is not refunded or paid out', async () => {
  await setLimits({ amounts: { token: 'usdt' } })
  expect([await refund(1), await payout(1)]).toEqual(['token amounts', 'source.token amounts'])
})

test('other keys, and people, are not bound; the successor of the key is', async () => {
  await setLimits({ amounts: { perDay: '10' } })
  expect(await refund(10)).toBe('pending')
  const other = (await makeKey()) as unknown as KeyInUse
  expect([await refund(1, undefined, other), await refund(1, undefined, null)]).toEqual([
    'pending',
    'pending',
  ])
  const successor = await storeKey(database, {
    ...{ businessId, name: 'till', scope: 'write', permissions, key: generateApiKey('test') },
    rootId: key.rootId,
  })
  expect(await refund(1, undefined, successor as unknown as KeyInUse)).toBe('amount perDay')
})
