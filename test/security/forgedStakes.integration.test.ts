import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { intentPurposes } from '../../src/capabilities.ts'
import type { Token, TransferSpec } from '../../src/chains/action.ts'
import { knownChain } from '../../src/chains/registry.ts'
import type { Terms } from '../../src/chains/sending.ts'
import { transferBuilder } from '../../src/chains/transferBuilders.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openPlatformKeys } from '../../src/custody/platformKeys.ts'
import { createProver, type Prover } from '../../src/custody/proof.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { replacementMessage, unstakingMessage } from '../../src/staking/stakeProof.ts'
import { insertRequest } from '../../src/txmgr/attempts.ts'
import { claimNonce } from '../../src/txmgr/claimNonce.ts'
import { type IntentPurpose, insertIntent, type NewIntent, readIntents } from '../../src/txmgr/intents.ts'
import type { Check } from '../../src/txmgr/signingPolicy.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { platformSigners } from '../../treasury/platformSigners.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addressOf, intentOf, keyOf } from '../support/evmIntents.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { endStake, fundRewards, makePlan, makeStake, proveConfirmed } from '../support/stakeRow.ts'
import { seedKey, urlAs } from '../support/template.ts'

/**
 * A thief who writes to the database, and has the worker's key, stores payments of stakes: the treasury
 * refuses each. Only that check keeps it from being paid: without it, the treasury signs.
 */

const usdc: Token = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const usdt: Token = { contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', symbol: 'USDT', decimals: 6 }
const terms: Terms = {
  gas: '90000',
  maxFeePerGas: '1000000000',
  maxPriorityFeePerGas: '1000000000',
  l1Fee: '0',
}
const [staker, thief] = [addressOf(keyOf(7777)), addressOf(keyOf(6666))]
const forger = createProver(new Secret(Buffer.alloc(32, 99).toString('base64')))
const [business, other] = [newId(), newId()]
const dayMs = 86_400_000
const createdAt = new Date(Date.now() - 31 * dayMs)
const unstakedAt = new Date(createdAt.getTime() + 30 * dayMs)
const net = 100_000_000n
/** 5.5 % of 100 in 30 days, rounded down. */
const rewards = 452_054n

let database: TestDatabase
let worker: Db
let ctx: SigningContext
let from: string
let planId: string
/** A writer that stores any purpose and signer. */
let careless: { purposes: IntentPurpose[] }

beforeAll(async () => {
  database = await createTestDatabase()
  for (const id of [business, other]) await insertBusiness(database.db, id)
  worker = openDb(urlAs('worker', database.url), 2)
  const keys = openPlatformKeys(
    await openSeed({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) }),
  )
  from = keys.staking('evm')
  const chain = knownChain('ethereum')
  if (!chain) throw new Error('ethereum is not a known chain')
  const builder = await transferBuilder(chain)
  ctx = {
    db: openDb(urlAs('treasury', database.url), 2),
    log: createLog('test', 'silent'),
    environment: 'test',
    proofs,
    signing: async () => ({ chain, builder }),
    signers: platformSigners(keys),
    addresses: keys,
    purposes: intentPurposes,
    signed: () => {},
  }
  careless = {
    purposes: intentPurposes.map((each) => ({
      ...each,
      signers: ['deposit', 'treasury', 'staking'] as const,
    })),
  }
  planId = await makePlan(database.db)
  await fundRewards(database.db, 'ethereum', 'USDC', 1_000_000_000n)
})
afterAll(async () => {
  await Promise.all([worker, ctx?.db].map((each) => each?.close()))
  await database?.drop()
})

const sql = (text: string, ...values: unknown[]) => database.db.query(text, values)
const row = () => ({
  planId,
  businessId: business,
  from: staker,
  amount: net,
  token: usdc,
  createdAt,
  confirmedAt: createdAt,
})

/** A stake of 100 USDC that was unstaked after 30 days. @returns its id */
async function unstaked(
  more: Partial<ReturnType<typeof row>> & { apy?: string } = {},
  end: { penalty?: bigint; unstakedAt?: Date } = {},
) {
  const id = await makeStake(database.db, { ...row(), ...more })
  await endStake(database.db, id, { rewards, unstakedAt, ...end })
  return id
}

interface Payment {
  principal?: bigint
  rewards?: bigint
  replaces?: string[]
  givenUp?: string[]
  prover?: Prover
  action?: Partial<TransferSpec>
  intent?: Partial<NewIntent>
  /** False: the intent belongs to no stake. */
  isStored?: boolean
}

/** The payment of a stake as the thief's worker stores it, and the request to sign it. @returns its intent */
async function paid(stakeId: string, payment: Payment = {}): Promise<string> {
  const {
    principal = net,
    rewards: extra = rewards,
    replaces = [],
    givenUp = [],
    prover = provers.worker,
    isStored = true,
  } = payment
  const action = intentOf({ from, to: staker, token: usdc, amount: principal + extra, ...payment.action })
  const common = {
    businessId: null,
    purpose: 'stake-withdrawal',
    chain: 'ethereum',
    signer: 'staking',
    walletId: null,
  } as const
  const wanted: NewIntent = {
    ...common,
    action,
    symbol: action.token?.symbol ?? null,
    decimals: action.token?.decimals ?? null,
    ...payment.intent,
  }
  return worker.tx(async (tx) => {
    const intent = await insertIntent(careless, tx, wanted, 0, provers.worker)
    const proof = prover.prove(replacementMessage({ intentId: intent.id, stakeId, replaces, givenUp }))
    if (isStored)
      await tx.query(
        'insert into stake_payments (intent_id, stake_id, principal, rewards, replaces, given_up, proof) values ($1, $2, $3, $4, $5, $6, $7)',
        [intent.id, stakeId, String(principal), String(extra), replaces, givenUp, proof],
      )
    const nonce = await claimNonce(tx, { chain: 'ethereum', address: action.from, intentId: intent.id }, 0n)
    await insertRequest(tx, intent, { nonce, terms }, provers.worker)
    return intent.id
  })
}

async function isSigned(intentId: string, without: readonly Check[] = []): Promise<boolean> {
  await signPending({ ...ctx, without })
  return (await sql('select 1 from treasury_signatures where intent_id = $1', intentId)).length > 0
}

/** A payment that the treasury has signed. @returns its intent and transaction */
async function signedPayment(stakeId: string): Promise<{ intentId: string; txId: string }> {
  const intentId = await paid(stakeId)
  expect(await isSigned(intentId)).toBe(true)
  const [signed] = await sql('select tx_id as "txId" from treasury_signatures where intent_id = $1', intentId)
  return { intentId, txId: String((signed as { txId: string }).txId) }
}
const fail = (intentId: string) =>
  sql(
    "update intents set status = 'failed', reason = 'reverted', next_reconcile_at = null where id = $1",
    intentId,
  )

const change = async (set: string, values: unknown[] = [], payment: Payment = {}): Promise<string> => {
  const id = await unstaked()
  await sql(`update stakes set ${set} where id = $1`, id, ...values)
  return paid(id, payment)
}

/**
 * The rest of a stake, which the thief has added: the API has proven its end, as of a part of the same
 * transaction.
 */
async function addedPart(rootId: string, amount: bigint): Promise<string> {
  const id = newId()
  await sql(
    `insert into stakes select (jsonb_populate_record(s, jsonb_build_object('id', $2::text, 'amount', $3::text))).* from stakes s where s.id = $1`,
    rootId,
    id,
    String(amount),
  )
  await endStake(database.db, id, { unstakedAt })
  return id
}

/** Unstaked at once, with its penalty. */
const early = () => unstaked({}, { penalty: 2_000_000n, unstakedAt: new Date(createdAt.getTime() + 1) })

/**
 * A stake whose transaction was never confirmed, as the row reports that it was. @param isProven the thief's
 * worker has proven it
 */
async function unbooked(isProven: boolean): Promise<string> {
  const id = await makeStake(database.db, { ...row(), confirmedAt: null as never })
  const proof = provers.api.prove(
    unstakingMessage({
      id,
      rootId: id,
      businessId: business,
      amount: net,
      earnedFrom: createdAt,
      unstakedAt,
    }),
  )
  await sql(
    `update stakes set status = 'unstaking', confirmed_at = $2, earned_from = $2, unstaked_at = $3, unstake_proof = $4, penalty = 0, rewards = $5
     where id = $1`,
    ...[id, createdAt, unstakedAt, proof, String(rewards)],
  )
  if (isProven) await database.db.tx((tx) => proveConfirmed(tx, id, 'ethereum', createdAt))
  return paid(id)
}

/** Rewards of its token are not funded. */
const unfunded = async () => paid(await unstaked({ token: usdt }), { action: { token: usdt } })

async function paidStake() {
  const id = await unstaked()
  return { id, ...(await signedPayment(id)) }
}
async function again(payment: Payment = { rewards: 0n }): Promise<string> {
  return paid((await paidStake()).id, payment)
}
async function inPlace({ isFailed = true, ...payment }: Payment & { isFailed?: boolean }): Promise<string> {
  const { id, intentId, txId } = await paidStake()
  if (isFailed) await fail(intentId)
  return paid(id, { replaces: [intentId], givenUp: [txId], ...payment })
}

const unprovenTerms = 'the terms of its stake have no valid proof of the API'
const unprovenEnd = 'the unstaking of its stake has no valid proof of the API'
const notItsPurpose = 'it is not what its purpose sends'
const notOfBusiness = "the platform's keys sign for no business"
const moreThanStaked = 'the parts of its stake are more than was staked'

/** Each with the checks that stop it where the intent's proof is valid. */
const forgeries: [what: string, forge: () => Promise<string>, why: string, checks?: Check[]][] = [
  [
    'to another address',
    () => change('from_address = $2', [thief], { action: { to: thief } }),
    unprovenTerms,
  ],
  [
    'of more',
    () => change('amount = 200000000, staked_amount = 200000000', [], { principal: 2n * net, rewards: 0n }),
    unprovenTerms,
  ],
  [
    'of more than a part',
    () => change('amount = 99000000', [], { principal: 99_000_000n, rewards: 0n }),
    unprovenEnd,
  ],
  ['at another rate', () => change('apy = 55', [], { rewards: rewards * 10n }), unprovenTerms],
  ['without its lock', () => change('lock_days = 0'), unprovenTerms],
  ['without its penalty', () => change('penalty_percent = 0'), unprovenTerms],
  ['of another plan', async () => change('plan_id = $2', [await makePlan(database.db)]), unprovenTerms],
  [
    'in another token',
    () => change("contract = $2, token = 'USDT'", [usdt.contract], { action: { token: usdt } }),
    unprovenTerms,
  ],
  ['of another business', () => change('business_id = $2', [other]), unprovenTerms],
  ['that was made earlier', () => change("created_at = created_at - interval '30 days'"), unprovenTerms],
  [
    'of other terms that the thief has proven',
    () => change('terms_proof = $2', [forger.prove(Buffer.from('terms'))]),
    unprovenTerms,
  ],
  [
    'that earns from an earlier time',
    () => change("earned_from = earned_from - interval '1 day'", [], { rewards: 467_123n }),
    unprovenEnd,
  ],
  [
    'that was unstaked later',
    () => change("unstaked_at = unstaked_at + interval '1 day'", [], { rewards: 467_123n }),
    unprovenEnd,
  ],
  ['that is not unstaked', () => change("status = 'active'"), 'its stake is not unstaked'],
  [
    'of a stake of the chain itself',
    () => change("type = 'native', rent = 1"),
    'it belongs to no pooled stake',
  ],
  ['of a stake on another chain', () => change("chain = 'base'"), 'its stake is on another chain'],
  [
    'of more than is due',
    async () => paid(await unstaked(), { principal: net + 1n }),
    'it is not the net amount of its stake',
  ],
  [
    'of more rewards than are due',
    async () => paid(await unstaked(), { rewards: rewards + 1n }),
    'it is not the rewards of its stake',
  ],
  [
    'of an early one without the penalty',
    async () => paid(await early(), { rewards: 0n }),
    'it is not the net amount of its stake',
  ],
  [
    'of a stake that no worker has seen confirmed',
    () => unbooked(false),
    'nothing proves that its stake is confirmed',
  ],
  ['of a stake that the books do not have', () => unbooked(true), 'its stake is not in the books'],
  ['of rewards that the books do not have', unfunded, 'its rewards are not in the books'],
  ['again', again, 'another payment of its principal is signed'],
  ['of rewards again', () => again({ principal: 0n }), 'another payment of its rewards is signed'],
  [
    'again, in place of one that may be mined',
    () => inPlace({ isFailed: false }),
    'another payment of its principal is signed',
  ],
  [
    'again, with a proof of the thief',
    () => inPlace({ prover: forger }),
    'nothing proves that the other payment of its principal failed',
  ],
  [
    'of a part that was added',
    async () => paid(await addedPart((await paidStake()).id, 1n), { principal: 1n, rewards: 0n }),
    moreThanStaked,
  ],
  [
    'of no stake',
    async () => paid(await unstaked(), { isStored: false }),
    'it belongs to no stake',
    ['policy', 'action'],
  ],
  [
    'of a business',
    async () => paid(await unstaked(), { intent: { businessId: business } }),
    notOfBusiness,
    ['signer', 'policy'],
  ],
  [
    'to another address than its row',
    async () => paid(await unstaked(), { action: { to: thief } }),
    notItsPurpose,
    ['action'],
  ],
  [
    'of another amount than its row',
    async () => paid(await unstaked(), { action: { amount: 2n * net } }),
    notItsPurpose,
    ['action'],
  ],
]

test('in good faith a payment is signed, and principal and rewards as two', async () => {
  expect(await isSigned(await paid(await unstaked()))).toBe(true)
  const stake = await unstaked()
  expect(await isSigned(await paid(stake, { rewards: 0n }))).toBe(true)
  expect(await isSigned(await paid(stake, { principal: 0n }))).toBe(true)
  const { id, intentId, txId } = await paidStake()
  await fail(intentId)
  expect(await isSigned(await paid(id, { replaces: [intentId], givenUp: [txId] }))).toBe(true)
})

describe('a payment of a stake with a valid proof of the worker', () => {
  test.each(forgeries)(
    '%s is refused; with its checks off it is signed',
    async (_what, forge, why, checks = ['policy']) => {
      const id = await forge()
      expect(await isSigned(id)).toBe(false)
      const [intent] = await readIntents(database.db, 'id = $1', [id])
      expect(intent).toMatchObject({ status: 'failed', reason: 'policy', message: why })
      for (const check of checks.length > 1 ? checks : []) {
        const others = checks.filter((each) => each !== check)
        expect([check, await isSigned(await forge(), others)]).toEqual([check, false])
      }
      expect(await isSigned(await forge(), checks)).toBe(true)
    },
  )
})
