import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { endStake, fundRewards, makePlan, makeStake, proveConfirmed } from '../../test/support/stakeRow.ts'
import { seedKey, urlAs } from '../../test/support/template.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { intentPurposes } from '../capabilities.ts'
import type { TransferSpec } from '../chains/action.ts'
import { knownChain } from '../chains/registry.ts'
import { envKeyProvider } from '../custody/keyProvider.ts'
import { openPlatformKeys } from '../custody/platformKeys.ts'
import type { Prover } from '../custody/proof.ts'
import { openSeed } from '../custody/seed.ts'
import { platformAccount } from '../ledger/account.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { claimExactly } from '../txmgr/claimNonce.ts'
import { insertIntent, readIntents, type TreasuryFacts } from '../txmgr/intents.ts'
import { noopOf, noopPurpose } from '../txmgr/noop.ts'
import { signedMessage } from '../txmgr/proof.ts'
import { confirmationMessage, replacementMessage, retryMessage, unstakingMessage } from './stakeProof.ts'
import { refusalOfWithdrawal, withdrawalAction } from './withdrawalPolicy.ts'

/**
 * The treasury pays a stake to the address that staked, once, and no more than follows from what the API has
 * proven. Rows alone prove nothing.
 */

const usdc = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const staker = `0x${'1'.repeat(40)}`
const thief = `0x${'2'.repeat(40)}`
const one = 1_000_000n
const dayMs = 86_400_000
const businessId = newId()
const createdAt = new Date(Date.now() - 31 * dayMs)
const unstakedAt = new Date(createdAt.getTime() + 30 * dayMs)
/** 5.5 % of 100 in 30 days, rounded down. */
const rewards = 452_054n

let database: TestDatabase
let treasury: Db
let own: TreasuryFacts
let planId: string
let from: string

beforeAll(async () => {
  database = await createTestDatabase()
  treasury = openDb(urlAs('treasury', database.url), 2)
  await insertBusiness(database.db, businessId)
  const keys = openPlatformKeys(
    await openSeed({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) }),
  )
  from = keys.staking('evm')
  const chain = knownChain('ethereum')
  if (!chain) throw new Error('ethereum is not a known chain')
  own = { addresses: keys, chain, proofs, settings: () => ({}) as never }
  planId = await makePlan(database.db)
  await fundRewards(database.db, 'ethereum', 'USDC', 1000n * one)
})
afterAll(async () => {
  await treasury?.close()
  await database?.drop()
})

const row = () => ({
  planId,
  businessId,
  from: staker,
  amount: 100n * one,
  token: usdc,
  createdAt,
  confirmedAt: createdAt,
})
let stakeId: string
beforeEach(async () => {
  stakeId = await makeStake(database.db, row())
  await endStake(database.db, stakeId, { rewards, unstakedAt })
})

interface PaymentRow {
  principal?: bigint
  rewards?: bigint
  replaces?: string[]
  givenUp?: string[]
  prover?: Prover | null
}

/** The intent of a worker's payment, as its row has it. */
async function pay(of: string, paid: PaymentRow = {}): Promise<string> {
  const {
    principal = 100n * one,
    rewards: extra = rewards,
    replaces = [],
    givenUp = [],
    prover = provers.worker,
  } = paid
  return database.db.tx(async (tx) => {
    const amount = principal + extra
    const action: TransferSpec = {
      kind: 'transfer',
      from,
      to: staker,
      token: usdc,
      amount,
      memo: null,
      gasPrice: null,
      gasLimit: null,
    }
    const shown = { symbol: 'USDC', decimals: 6 }
    const wanted = {
      businessId: null,
      purpose: 'stake-withdrawal',
      chain: 'ethereum',
      signer: 'staking',
      walletId: null,
      action,
      ...shown,
    } as const
    const { id } = await insertIntent({ purposes: intentPurposes }, tx, wanted, 0, provers.worker)
    const proof = prover?.prove(replacementMessage({ intentId: id, stakeId: of, replaces, givenUp })) ?? null
    await tx.query(
      'insert into stake_payments (intent_id, stake_id, principal, rewards, replaces, given_up, proof) values ($1, $2, $3, $4, $5, $6, $7)',
      [id, of, String(principal), String(extra), replaces, givenUp, proof],
    )
    return id
  })
}

/** The treasury's record that it has signed a payment, after the policy has allowed it. @returns the hash */
async function sign(intentId: string, expiresAt: Date | null = null): Promise<string> {
  expect((await judge(intentId)).refusal).toBeNull()
  const txId = `0x${intentId}`
  await database.db.query(
    "insert into treasury_signatures (intent_id, chain, tx_id, nonce, expires_at) values ($1, 'ethereum', $2, 1, $3)",
    [intentId, txId, expiresAt],
  )
  return txId
}

const fail = (intentId: string) =>
  database.db.query(
    "update intents set status = 'failed', reason = 'reverted', next_reconcile_at = null where id = $1",
    [intentId],
  )

/** The policy's answer by the rights of the treasury, and where it would send what. */
const judge = (intentId: string) =>
  treasury.tx(async (tx) => {
    const [intent] = await readIntents(tx, 'id = $1', [intentId])
    if (!intent) throw new Error('no intent')
    const refusal = await refusalOfWithdrawal(tx, intent, own)
    const action = await withdrawalAction(tx, intent, own)
    const sent = action?.kind === 'transfer' ? action : null
    return { refusal, from: sent?.from ?? null, to: sent?.to ?? null, amount: sent?.amount ?? null }
  })

const forge = (sql: string, ...values: unknown[]) => database.db.query(sql, [stakeId, ...values])

test('a payment that follows from proven terms is signed, again for a higher fee, and by no second intent', async () => {
  const first = await pay(stakeId)
  expect(await judge(first)).toEqual({ refusal: null, from, to: staker, amount: 100n * one + rewards })
  await sign(first)
  expect((await judge(first)).refusal).toBeNull()
  expect((await judge(await pay(stakeId))).refusal).toBe('another payment of its principal is signed')
  expect((await judge(await pay(stakeId, { principal: 0n }))).refusal).toBe(
    'another payment of its rewards is signed',
  )
})

test('principal and rewards may be two payments', async () => {
  await sign(await pay(stakeId, { rewards: 0n }))
  await sign(await pay(stakeId, { principal: 0n }))
  expect((await judge(await pay(stakeId, { principal: 0n }))).refusal).toBe(
    'another payment of its rewards is signed',
  )
})

test('one of which nothing was signed keeps no other from being signed, and is not signed after it', async () => {
  const unsigned = await pay(stakeId)
  expect((await judge(unsigned)).refusal).toBeNull()
  await sign(await pay(stakeId))
  expect((await judge(unsigned)).refusal).toBe('another payment of its principal is signed')
})

describe('a payment in place of one that has failed', () => {
  const refusalOf = async (row: PaymentRow) => (await judge(await pay(stakeId, row))).refusal
  const signed = 'another payment of its principal is signed'

  test('is signed once, with a proof of the worker', async () => {
    const first = await pay(stakeId)
    const txId = await sign(first)
    const again = { replaces: [first], givenUp: [txId] }
    expect(await refusalOf(again)).toBe(signed)
    await fail(first)
    expect(await refusalOf({ replaces: [], givenUp: [] })).toBe(signed)
    expect(await refusalOf({ replaces: [first], givenUp: ['0x1'] })).toBe(signed)
    expect(await refusalOf({ replaces: [newId()], givenUp: [txId] })).toBe(signed)
    expect(await refusalOf({ ...again, prover: provers.api })).toBe(
      'nothing proves that the other payment of its principal failed',
    )
    const second = await pay(stakeId, again)
    const secondTx = await sign(second)
    await fail(second)
    expect(await refusalOf({ replaces: [first, second], givenUp: [txId, secondTx] })).toBe(
      'its principal was paid again before',
    )
  })

  test('is signed a third time only after an operator has released each of those before, with the proof of the worker', async () => {
    const [replaces, givenUp]: [string[], string[]] = [[], []]
    const again = () => ({ replaces: [...replaces], givenUp: [...givenUp] })
    for (let n = 0; n < 2; n++) {
      const made = await pay(stakeId, again())
      givenUp.push(await sign(made))
      replaces.push(made)
      await fail(made)
    }
    const release = (intentId: string, of: string, prover: Prover) =>
      database.db.query(
        `insert into stake_retries (intent_id, evidence, proof) values ($1, 'case 7', $2)
         on conflict (intent_id) do update set proof = excluded.proof`,
        [intentId, prover.prove(retryMessage({ intentId, stakeId: of }))],
      )
    const [first = '', second = ''] = replaces
    const paid = 'its principal was paid again before'
    await release(second, stakeId, provers.api)
    expect(await refusalOf(again())).toBe(paid)
    await release(first, stakeId, provers.worker)
    expect(await refusalOf(again())).toBe(paid)
    await release(first, newId(), provers.api)
    expect(await refusalOf(again())).toBe(paid)
    await release(first, stakeId, provers.api)
    expect(await refusalOf({ ...again(), prover: provers.api })).toBe(
      'nothing proves that the other payment of its principal failed',
    )
    expect(await refusalOf({ ...again(), givenUp: givenUp.slice(1) })).toBe(signed)
    await database.db.query('update intents set next_reconcile_at = now() where id = $1', [second])
    expect(await refusalOf(again())).toBe(signed)
    await fail(second)
    const third = await pay(stakeId, again())
    givenUp.push(await sign(third))
    replaces.push(third)
    expect(await refusalOf(again())).toBe(paid)
    await fail(third)
    expect(await refusalOf(again())).toBe(paid)
  })

  test('is refused while a transaction of it has not expired', async () => {
    const first = await pay(stakeId)
    const txId = await sign(first, new Date(Date.now() + 60_000))
    await fail(first)
    expect(await refusalOf({ replaces: [first], givenUp: [txId] })).toBe(signed)
  })

  test('is refused for one that has paid, and is final', async () => {
    const first = await pay(stakeId)
    const txId = await sign(first)
    await database.db.query(
      "update intents set status = 'confirmed', next_reconcile_at = null where id = $1",
      [first],
    )
    expect(await refusalOf({ replaces: [first], givenUp: [txId] })).toBe(signed)
  })

  test('is refused with the proof of another payment', async () => {
    const first = await pay(stakeId)
    const txId = await sign(first)
    await fail(first)
    const forged = await pay(stakeId, { replaces: [first], givenUp: [txId] })
    await database.db.query(
      'update stake_payments set proof = (select proof from intents where id = $1) where intent_id = $1',
      [forged],
    )
    expect((await judge(forged)).refusal).toBe(
      'nothing proves that the other payment of its principal failed',
    )
  })
})

const unproven = 'the terms of its stake have no valid proof of the API'
const notUnstaked = 'its stake is not unstaked'
const unprovenEnd = 'the unstaking of its stake has no valid proof of the API'
test.each([
  ['the address', 'update stakes set from_address = $2 where id = $1', [thief], unproven],
  [
    'the amount',
    'update stakes set amount = 200000000, staked_amount = 200000000 where id = $1',
    [],
    unproven,
  ],
  ['the amount of a part', 'update stakes set amount = 99000000 where id = $1', [], unprovenEnd],
  ['the rate', 'update stakes set apy = 55 where id = $1', [], unproven],
  ['the lock', 'update stakes set lock_days = 0 where id = $1', [], unproven],
  ['the penalty', 'update stakes set penalty_percent = 0 where id = $1', [], unproven],
  ['the owner', 'update stakes set business_id = $2 where id = $1', ['other'], unproven],
  [
    'the time of its block',
    "update stakes set earned_from = earned_from - interval '1 day' where id = $1",
    [],
    unprovenEnd,
  ],
  [
    'the time of its end',
    "update stakes set unstaked_at = unstaked_at + interval '1 day' where id = $1",
    [],
    unprovenEnd,
  ],
  ['its state', "update stakes set status = 'active' where id = $1", [], notUnstaked],
  [
    'its block, which a fork took away',
    'update stakes set confirmed_at = null where id = $1',
    [],
    notUnstaked,
  ],
  ['the time from which it earns', 'update stakes set earned_from = null where id = $1', [], notUnstaked],
  [
    'the end of one that failed',
    "update stakes set status = 'withdrawn', unstaked_at = null where id = $1",
    [],
    notUnstaked,
  ],
])('a forged row is refused: %s', async (_what, sql, values, refusal) => {
  const other = await anotherBusiness()
  await forge(sql, ...values.map((each) => (each === 'other' ? other : each)))
  expect((await judge(await pay(stakeId))).refusal).toBe(refusal)
})

test('amounts that the row alone names are refused', async () => {
  expect((await judge(await pay(stakeId, { principal: 100n * one + 1n }))).refusal).toBe(
    'it is not the net amount of its stake',
  )
  expect((await judge(await pay(stakeId, { rewards: rewards + 1n }))).refusal).toBe(
    'it is not the rewards of its stake',
  )
  // Less is refused as well: the rest would never be paid.
  expect((await judge(await pay(stakeId, { principal: 100n * one - 1n }))).refusal).toBe(
    'it is not the net amount of its stake',
  )
  expect((await judge(await pay(stakeId, { rewards: rewards - 1n }))).refusal).toBe(
    'it is not the rewards of its stake',
  )
  const early = await makeStake(database.db, row())
  await endStake(database.db, early, {
    penalty: 2n * one,
    rewards: 0n,
    unstakedAt: new Date(createdAt.getTime() + 1),
  })
  expect((await judge(await pay(early, { rewards: 0n }))).refusal).toBe(
    'it is not the net amount of its stake',
  )
})

async function anotherBusiness(): Promise<string> {
  const id = newId()
  await insertBusiness(database.db, id, 'Another')
  return id
}

/** An entry of 100 that names a stake as its cause. */
async function postFor(
  id: string,
  of: { businessId?: string; token?: string; kind?: 'stake' | 'adjustment'; step?: number },
): Promise<void> {
  const { businessId: owner = businessId, token = 'USDC', kind = 'stake', step = 1 } = of
  const asset = tokenAsset('ethereum', token)
  const postings = [
    { account: platformAccount('staking:ethereum', asset), amount: 100n * one },
    { account: { name: 'stakes', businessId: owner, asset } as const, amount: -100n * one },
  ]
  await database.db.tx((tx) =>
    post(tx, [{ kind: 'stake.posted', businessId: owner, cause: { kind, id }, step, postings }]),
  )
}

test('a stake that the books do not have is refused; so are rewards that they have not paid', async () => {
  const unseen = await makeStake(database.db, { ...row(), confirmedAt: null })
  const end = {
    id: unseen,
    rootId: unseen,
    businessId,
    amount: 100n * one,
    earnedFrom: createdAt,
    unstakedAt,
  }
  await database.db.query(
    `update stakes set status = 'unstaking', confirmed_at = $2, earned_from = $2, unstaked_at = $3, unstake_proof = $4, penalty = 0, rewards = $5 where id = $1`,
    [unseen, createdAt, unstakedAt, provers.api.prove(unstakingMessage(end)), String(rewards)],
  )
  await database.db.tx((tx) => proveConfirmed(tx, unseen, 'ethereum', createdAt))
  expect((await judge(await pay(unseen))).refusal).toBe('its stake is not in the books')
  // Entries of another business, of another token or for another cause have not brought it.
  await postFor(unseen, { businessId: await anotherBusiness() })
  await postFor(unseen, { token: 'USDT', step: 2 })
  await postFor(unseen, { kind: 'adjustment' })
  expect((await judge(await pay(unseen))).refusal).toBe('its stake is not in the books')
  await postFor(unseen, { step: 3 })
  expect((await judge(await pay(unseen, { rewards: 0n }))).refusal).toBeNull()
  const poor = await makeStake(database.db, { ...row(), apy: '0' })
  await endStake(database.db, poor, { rewards: 0n, unstakedAt })
  expect((await judge(await pay(poor))).refusal).toBe('it is not the rewards of its stake')
})

test('what the token kept of a stake is in the books as a cost, and is no reason to refuse', async () => {
  const taxed = await makeStake(database.db, { ...row(), confirmedAt: null })
  const kept = JSON.stringify([{ address: staker, token: usdc, amount: String(one) }])
  await database.db.query(
    "update intents set status = 'confirmed', block_height = 1, token_kept = $2 where id = $1",
    [taxed, kept],
  )
  await database.db.query('update stakes set confirmed_at = $2 where id = $1', [taxed, createdAt])
  await database.db.tx((tx) => proveConfirmed(tx, taxed, 'ethereum', createdAt))
  await endStake(database.db, taxed, { rewards, unstakedAt })
  const booked = await database.db.query(
    `select a.name, p.amount::text as amount
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.cause_kind = 'stake' and e.reference = $1 and a.name in ('staking:ethereum', 'network_costs') order by a.name`,
    [taxed],
  )
  expect(booked).toEqual([
    { name: 'network_costs', amount: String(one) },
    { name: 'staking:ethereum', amount: String(99n * one) },
  ])
  expect((await judge(await pay(taxed))).refusal).toBeNull()
})

/** Another part of a stake's transaction. @returns its id */
async function partOf(of: string, amount: bigint): Promise<string> {
  const id = newId()
  await database.db.query(
    `insert into stakes (id, business_id, plan_id, root_id, type, chain, token, contract, decimals, amount, staked_amount, apy, lock_days,
       penalty_percent, from_address, created_at, terms_proof, confirmed_at)
     select $2, business_id, plan_id, root_id, type, chain, token, contract, decimals, $3, staked_amount, apy, lock_days, penalty_percent,
       from_address, created_at, terms_proof, confirmed_at from stakes where id = $1`,
    [of, id, String(amount)],
  )
  return id
}

test('parts that are more than the transaction brought are refused, even where the API has proven each', async () => {
  await sign(await pay(stakeId))
  const rest = await partOf(stakeId, 1n)
  await endStake(database.db, rest, { unstakedAt })
  expect((await judge(await pay(rest, { principal: 1n, rewards: 0n }))).refusal).toBe(
    'the parts of its stake are more than was staked',
  )
})

test('nor by payments of rewards alone, which follow from the amounts of the parts', async () => {
  const first = await makeStake(database.db, row())
  const second = await partOf(first, 100n * one)
  for (const id of [first, second]) await endStake(database.db, id, { rewards, unstakedAt })
  await sign(await pay(first, { principal: 0n }))
  expect((await judge(await pay(second, { principal: 0n }))).refusal).toBe(
    'the parts of its stake are more than was staked',
  )
})

test('payments of one transaction are checked one after the other, and its stake stays as it is until they are signed', async () => {
  const first = await makeStake(database.db, row())
  const second = await partOf(first, 100n * one)
  for (const id of [first, second]) await endStake(database.db, id, { rewards, unstakedAt })
  const [paid, other] = [await pay(first), await pay(second)]
  const areWaiting = (count: number) => async () => {
    const sql =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    return (await database.db.query(sql)).length === count
  }
  const waiting: Promise<unknown>[] = []
  await treasury.tx(async (tx) => {
    const [intent] = await readIntents(tx, 'id = $1', [paid])
    expect(intent && (await refusalOfWithdrawal(tx, intent, own))).toBeNull()
    waiting.push(judge(other))
    await waitFor('the other payment waits', areWaiting(1))
    waiting.push(database.db.query('update stakes set updated_at = now() where id = $1', [first]))
    await waitFor('a change of the stake waits', areWaiting(2))
  })
  expect(await waiting[0]).toMatchObject({ refusal: 'the parts of its stake are more than was staked' })
  await waiting[1]
})

test('a token that is not that of the stake is not sent', async () => {
  const payment = await pay(stakeId)
  await forge('update stakes set contract = $2 where id = $1', thief)
  expect(await judge(payment)).toMatchObject({ refusal: unproven, to: null, amount: null })
})

test('rewards that the books have for one part are not paid to another', async () => {
  const usdt = { contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', symbol: 'USDT', decimals: 6 }
  const first = await makeStake(database.db, { ...row(), token: usdt })
  await database.db.query('update stakes set amount = 60000000 where id = $1', [first])
  const second = await partOf(first, 40n * one)
  const [earned, more] = [271_232n, 180_821n]
  await fundRewards(database.db, 'ethereum', 'USDT', earned)
  await endStake(database.db, first, { rewards: earned, unstakedAt })
  await endStake(database.db, second, { rewards: more, unstakedAt })
  await sign(await pay(first, { principal: 60n * one, rewards: earned }))
  expect((await judge(await pay(second, { principal: 0n, rewards: more }))).refusal).toBe(
    'its rewards are not in the books',
  )
  expect((await judge(await pay(second, { principal: 40n * one, rewards: 0n }))).refusal).toBeNull()
})

test('a stake whose block is earlier than its request, by more than clocks differ, is refused', async () => {
  const minute = 60_000
  for (const [minutes, refusal] of [
    [1, null],
    [3, 'its stake was confirmed before it was made'],
  ] as const) {
    const id = await makeStake(database.db, {
      ...row(),
      confirmedAt: new Date(createdAt.getTime() - minutes * minute),
    })
    await endStake(database.db, id, { unstakedAt })
    expect((await judge(await pay(id, { rewards: 0n }))).refusal).toBe(refusal)
  }
})

test('a payment without a stake, or of a suspended business, is refused', async () => {
  const payment = await pay(stakeId)
  await database.db.query("update businesses set approval = 'suspended' where id = $1", [businessId])
  expect((await judge(payment)).refusal).toBe('its business is suspended')
  await database.db.query("update businesses set approval = 'approved' where id = $1", [businessId])
  await database.db.query('delete from stake_payments where intent_id = $1', [payment])
  expect((await judge(payment)).refusal).toBe('it belongs to no stake')
})

test('the nonce of a payment that failed without a block may be filled, and that of no other', async () => {
  const nonce = 7n
  const judgeNoop = (id: string) =>
    treasury.tx(async (tx) => {
      const [intent] = await readIntents(tx, 'id = $1', [id])
      return intent ? noopPurpose.policy.check(tx, intent, own) : 'no intent'
    })
  const noop = await database.db.tx(async (tx) => {
    const wanted = {
      businessId: null,
      purpose: 'noop',
      chain: 'ethereum',
      signer: 'staking',
      walletId: null,
      symbol: null,
      decimals: null,
    } as const
    const { id } = await insertIntent(
      { purposes: intentPurposes },
      tx,
      { ...wanted, action: noopOf(from) },
      0,
      provers.worker,
    )
    await claimExactly(tx, { chain: 'ethereum', address: from, intentId: id }, nonce)
    return id
  })
  const nothing = 'no transaction that the treasury signed waits behind its nonce'
  expect(await judgeNoop(noop)).toBe(nothing)
  const payment = await pay(stakeId)
  await database.db.query(
    "insert into treasury_signatures (intent_id, chain, tx_id, nonce) values ($1, 'ethereum', $2, $3)",
    [payment, `0x${payment}`, String(nonce)],
  )
  expect(await judgeNoop(noop)).toBe(nothing)
  await fail(payment)
  expect(await judgeNoop(noop)).toBeNull()
  await database.db.query('update intents set block_height = 1 where id = $1', [payment])
  expect(await judgeNoop(noop)).toBe(nothing)
})

test('of the transactions that the API has signed for a stake the one that was mined counts', async () => {
  const txId = '0xdearer'
  const proof = provers.api.prove(signedMessage({ intentId: stakeId, chain: 'ethereum', txId }))
  await forge(
    `insert into intent_attempts (intent_id, number, chain, nonce, terms, tx_id, signed_at, bytes, sends, proof)
     values ($1, 1, 'ethereum', 0, '{}', '0xdearer', now(), 'x', 1, $2)`,
    proof,
  )
  const confirmed = { rootId: stakeId, chain: 'ethereum', txId, blockHeight: 1, blockId: 'block 1' }
  await forge(
    "update stake_confirmations set tx_id = '0xdearer', proof = $2 where root_id = $1",
    provers.worker.prove(confirmationMessage(confirmed)),
  )
  expect((await judge(await pay(stakeId))).refusal).toBeNull()
})

describe('a stake whose transaction never came', () => {
  const unconfirmed = 'nothing proves that its stake is confirmed'
  const refusalOf = async () => (await judge(await pay(stakeId))).refusal
  const change = (sql: string, ...values: unknown[]) => database.db.query(sql, [stakeId, ...values])

  test('is not paid, though rows report it as confirmed and booked', async () => {
    await change('delete from stake_confirmations where root_id = $1')
    expect(await refusalOf()).toBe(unconfirmed)
  })

  test('is not paid with a confirmation of another stake, another block, or by another process', async () => {
    const other = await makeStake(database.db, row())
    await change(
      'update stake_confirmations c set proof = o.proof from stake_confirmations o where c.root_id = $1 and o.root_id = $2',
      other,
    )
    expect(await refusalOf()).toBe(unconfirmed)
    const forged = {
      rootId: stakeId,
      chain: 'ethereum',
      txId: `0x${stakeId}`,
      blockHeight: 1,
      blockId: 'block 1',
    }
    await change(
      'update stake_confirmations set proof = $2 where root_id = $1',
      provers.api.prove(confirmationMessage(forged)),
    )
    expect(await refusalOf()).toBe(unconfirmed)
    const elsewhere = { ...forged, chain: 'base' }
    await change(
      'update stake_confirmations set proof = $2 where root_id = $1',
      provers.worker.prove(confirmationMessage(elsewhere)),
    )
    expect(await refusalOf()).toBe(unconfirmed)
    await change(
      'update stake_confirmations set proof = $2 where root_id = $1',
      provers.worker.prove(confirmationMessage(forged)),
    )
    expect(await refusalOf()).toBeNull()
    await change('update stake_confirmations set block_height = 2 where root_id = $1')
    expect(await refusalOf()).toBe(unconfirmed)
  })

  test('is not paid for a transaction that the API did not sign for it, such as a cheap one of the same sender', async () => {
    const unsigned = 'the transaction of its stake has no valid proof of the API'
    const cheap = { rootId: stakeId, chain: 'ethereum', txId: '0xcheap', blockHeight: 1, blockId: 'block 1' }
    await change("update intent_attempts set tx_id = '0xcheap' where intent_id = $1")
    await change(
      "update stake_confirmations set tx_id = '0xcheap', proof = $2 where root_id = $1",
      provers.worker.prove(confirmationMessage(cheap)),
    )
    expect(await refusalOf()).toBe(unsigned)
    const { txId, rootId: intentId, chain } = cheap
    await change(
      'update intent_attempts set proof = $2 where intent_id = $1',
      provers.worker.prove(signedMessage({ intentId, chain, txId })),
    )
    expect(await refusalOf()).toBe(unsigned)
    await change('update intent_attempts set proof = null where intent_id = $1')
    expect(await refusalOf()).toBe(unsigned)
    await change(
      'update intent_attempts set proof = $2 where intent_id = $1',
      provers.api.prove(signedMessage({ intentId, chain, txId })),
    )
    expect(await refusalOf()).toBeNull()
  })
})
