import { platformAccount } from '../../src/ledger/account.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import { percentText } from '../../src/money/percent.ts'
import type { Db, Queryable, Tx } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { bookParts } from '../../src/staking/bookParts.ts'
import { stakePurpose } from '../../src/staking/capability.ts'
import { storeConfirmation } from '../../src/staking/confirmation.ts'
import { termsMessage, unstakingMessage } from '../../src/staking/stakeProof.ts'
import { insertStake } from '../../src/staking/storedStake.ts'
import { insertIntent } from '../../src/txmgr/intents.ts'
import { signedMessage } from '../../src/txmgr/proof.ts'
import { provers } from './intentKeys.ts'

export interface PlanTerms {
  chain: string
  token: string
  apy: string
  lockDays: number
  penaltyPercent: string
  /** Base units. */
  minAmount: bigint
  maxAmount: bigint
  type: 'pooled' | 'native'
}

/** The terms of a plan as an operator sends them. */
export const planTerms = {
  name: 'A plan',
  description: 'For tests',
  apy: '5.5',
  lockDays: 30,
  penaltyPercent: '2',
  minAmount: '1',
  maxAmount: '1000',
}

/** A pooled plan of USDC on ethereum, without limits that matter. @returns its id */
export async function makePlan(db: Db, terms: Partial<PlanTerms> = {}): Promise<string> {
  const { chain, token, apy, lockDays, penaltyPercent, minAmount, maxAmount, type } = {
    ...defaultTerms,
    ...terms,
  }
  const id = newId()
  await db.query(
    `insert into staking_plans (id, name, description, type, chain, token, apy, lock_days, penalty_percent, min_amount, max_amount)
     values ($1, 'A plan', 'For tests', $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, type, chain, token, apy, lockDays, penaltyPercent, String(minAmount), String(maxAmount)],
  )
  return id
}

const defaultTerms: PlanTerms = {
  chain: 'ethereum',
  token: 'USDC',
  apy: '5.5',
  lockDays: 30,
  penaltyPercent: '2',
  minAmount: 1n,
  maxAmount: 10n ** 30n,
  type: 'pooled',
}

export interface StakeRow {
  planId: string
  businessId: string
  /** Normal form. */
  from: string
  /** Base units. */
  amount: bigint
  token?: { contract: string; symbol: string; decimals: number } | null
  chain?: string
  createdAt?: Date
  /** Null: its transaction is not confirmed. */
  confirmedAt?: Date | null
  apy?: string
  lockDays?: number
  penaltyPercent?: string
}

/**
 * A stake as it is stored, without its transaction on a chain; in the books if it is confirmed. @returns its
 * id
 */
export async function makeStake(db: Db, stake: StakeRow): Promise<string> {
  const { chain = 'ethereum', token = null, businessId, from, amount, planId } = stake
  const {
    createdAt = new Date(),
    confirmedAt = new Date(),
    apy = '5.5',
    lockDays = 30,
    penaltyPercent = '2',
  } = stake
  return db.tx(async (tx) => {
    const action = {
      kind: 'transfer',
      from,
      to: from,
      token,
      amount,
      memo: null,
      gasPrice: null,
      gasLimit: null,
    } as const
    const { symbol, decimals } = token ?? { symbol: 'ETH', decimals: 18 }
    const wanted = {
      businessId,
      purpose: 'stake',
      chain,
      signer: 'caller',
      walletId: null,
      action,
      symbol,
      decimals,
    } as const
    const { id } = await insertIntent({ purposes: [stakePurpose] }, tx, wanted, 3_600_000, null)
    await storeSignedStake(tx, id, chain)
    if (confirmedAt) await confirmStake(tx, id, 1)
    const terms = { apy: percentText(apy), lockDays, penaltyPercent: percentText(penaltyPercent), createdAt }
    const common = {
      rootId: id,
      businessId,
      planId,
      chain,
      contract: token?.contract ?? null,
      decimals,
      stakedAmount: amount,
      from,
      ...terms,
    }
    const termsProof = provers.api.prove(termsMessage(common))
    await insertStake(tx, {
      ...common,
      id,
      type: 'pooled',
      token: symbol,
      amount,
      validator: null,
      termsProof,
      confirmedAt,
    })
    if (confirmedAt) {
      await proveConfirmed(tx, id, chain, confirmedAt)
      await bookParts(tx, id)
    }
    return id
  })
}

/** The id of a block of the chain of tests. */
export const blockIdOf = (height: number) => `block ${height}`

/** The transaction of a stake, signed by the api. */
export async function storeSignedStake(tx: Queryable, id: string, chain: string): Promise<void> {
  await tx.query(
    `insert into intent_attempts (intent_id, number, chain, nonce, terms, tx_id, signed_at, bytes, sends, proof)
     values ($1, 0, $2, 0, '{}', $3, now(), 'x', 1, $4)`,
    [id, chain, `0x${id}`, provers.api.prove(signedMessage({ intentId: id, chain, txId: `0x${id}` }))],
  )
}

/** As the transaction manager stores the transaction of a stake that is confirmed. */
async function confirmStake(tx: Tx, id: string, height: number): Promise<void> {
  await tx.query(
    "update intents set status = 'confirmed', block_height = $2, block_id = $3, tx_id = $4, next_reconcile_at = null where id = $1",
    [id, height, blockIdOf(height), `0x${id}`],
  )
}

/** The worker's proof that the transaction of a stake is in block 1. */
export const proveConfirmed = (tx: Tx, id: string, chain: string, time: Date): Promise<void> =>
  storeConfirmation(
    tx,
    { prover: provers.worker },
    { rootId: id, chain, txId: `0x${id}`, blockHeight: 1, blockId: blockIdOf(1), time },
  )

/** Ends a stake as the api does, with these amounts. */
export async function endStake(
  db: Db,
  id: string,
  { penalty = 0n, rewards = 0n, unstakedAt = new Date() },
): Promise<void> {
  const [row] = await db.query<{ rootId: string; businessId: string; amount: string; confirmedAt: Date }>(
    'select root_id as "rootId", business_id as "businessId", amount::text as amount, confirmed_at as "confirmedAt" from stakes where id = $1',
    [id],
  )
  if (!row) throw new Error(`there is no stake ${id}`)
  const proof = provers.api.prove(
    unstakingMessage({ ...row, id, earnedFrom: row.confirmedAt, amount: BigInt(row.amount), unstakedAt }),
  )
  await db.tx(async (tx) => {
    await tx.query(
      "update stakes set status = 'unstaking', unstaked_at = $2, unstake_proof = $3, penalty = $4, rewards = $5, earned_from = confirmed_at where id = $1",
      [id, unstakedAt, proof, String(penalty), String(rewards)],
    )
    await bookParts(tx, row.rootId)
  })
}

/** What the operator has put into the account of rewards, in the books. */
export async function fundRewards(db: Db, chain: string, token: string, amount: bigint): Promise<void> {
  const asset = tokenAsset(chain, token)
  const postings = [
    { account: platformAccount(`staking:${chain}`, asset), amount },
    { account: platformAccount('rewards', asset), amount: -amount },
  ]
  await db.tx((tx) =>
    post(tx, [
      { kind: 'adjustment', businessId: null, cause: { kind: 'adjustment', id: newId() }, step: 1, postings },
    ]),
  )
}

/** A plan, an active and an unstaked stake of the coin, for requests of these operations. */
export async function makeStakes(db: Db, businessId: string, from: string) {
  const plan = await makePlan(db, { token: 'ETH', apy: '0' })
  const row = { planId: plan, businessId, from: from.toLowerCase(), amount: 10n ** 16n, apy: '0' }
  const [stake, unstaked] = [await makeStake(db, row), await makeStake(db, row)]
  await endStake(db, unstaked, {})
  return { plan, stake, unstaked }
}
