import type { Action } from '../chains/action.ts'
import type { Verifier } from '../custody/proof.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { storedPercent } from '../money/percent.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { isSuspended } from '../txmgr/hold.ts'
import type { Intent, TreasuryFacts } from '../txmgr/intents.ts'
import { signedMessage } from '../txmgr/proof.ts'
import { maxReplaced, type Part, parts } from './payments.ts'
import { clockSkewMs, penaltyOf, rewardsOf } from './rewards.ts'
import {
  confirmationMessage,
  type ProvenConfirmation,
  replacementMessage,
  retryMessage,
  termsMessage,
  unstakingMessage,
} from './stakeProof.ts'
import { readStakes, type Stake } from './storedStake.ts'

/** The purpose of a payment by its row. Base units. */
interface Payment {
  intentId: string
  stakeId: string
  principal: bigint
  rewards: bigint
  /** Payments that it is made in place of, and their transactions. */
  replaces: string[]
  givenUp: string[]
  proof: Buffer | null
}

/** An unstaked stake, with all that its amounts follow from. */
type Unstaked = Stake & { confirmedAt: Date; earnedFrom: Date; unstakedAt: Date }

/**
 * The treasury's policy of payments of stakes: to the address in the terms that the API has proven, each part
 * once, and no more than the net amount and the rewards that follow from proven terms and times. The worker
 * must have proven that the money of the stake has come. The books must hold that much, and the parts of a
 * transaction not be more than it. A payment that can never be mined is replaced once, with a proof of the
 * worker; again only after an operator has released it.
 */
export async function refusalOfWithdrawal(tx: Tx, row: Intent, own: TreasuryFacts): Promise<string | null> {
  if (row.businessId !== null) return 'it is not of the platform'
  const payment = await paymentOf(tx, row.id)
  if (!payment) return 'it belongs to no stake'
  // Locked, so that it stays as it is until this is signed.
  const [stake] = await readStakes(tx, 'id = $1 for share', [payment.stakeId])
  if (stake?.type !== 'pooled') return 'it belongs to no pooled stake'
  if (stake.chain !== row.chain) return 'its stake is on another chain'
  if (!isUnstaked(stake)) return 'its stake is not unstaked'
  if (await isSuspended(tx, stake.businessId)) return 'its business is suspended'
  // Two payments of one transaction must not both take what is left of it.
  await tx.query("select pg_advisory_xact_lock(hashtextextended('cowry stake ' || $1, 0))", [stake.rootId])
  return (
    refusalOfUnproven(stake, own) ??
    (await refusalOfUnconfirmed(tx, stake, own)) ??
    refusalOfAmounts(stake, payment) ??
    (await refusalOfUnbooked(tx, stake, payment)) ??
    (await refusalOfSecond(tx, stake, payment, own))
  )
}

async function paymentOf(db: Queryable, intentId: string): Promise<Payment | null> {
  const [row] = await db.query<
    Omit<Payment, 'principal' | 'rewards'> & { principal: string; rewards: string }
  >(
    `select intent_id as "intentId", stake_id as "stakeId", principal::text as principal, rewards::text as rewards, replaces,
       given_up as "givenUp", proof from stake_payments where intent_id = $1`,
    [intentId],
  )
  return row ? { ...row, principal: BigInt(row.principal), rewards: BigInt(row.rewards) } : null
}

const isUnstaked = (stake: Stake): stake is Unstaked =>
  stake.status !== 'active' &&
  stake.confirmedAt !== null &&
  stake.earnedFrom !== null &&
  stake.unstakedAt !== null

function refusalOfUnproven(stake: Unstaked, { proofs }: TreasuryFacts): string | null {
  if (!stake.termsProof || !proofs.api.verifies(termsMessage(stake), stake.termsProof))
    return 'the terms of its stake have no valid proof of the API'
  if (!stake.unstakeProof || !proofs.api.verifies(unstakingMessage(stake), stake.unstakeProof))
    return 'the unstaking of its stake has no valid proof of the API'
  // Rewards would start before there was a stake.
  return stake.earnedFrom.getTime() + clockSkewMs < stake.createdAt.getTime()
    ? 'its stake was confirmed before it was made'
    : null
}

/**
 * The money has come, by the worker's proof, which has read the chain: in a transaction that the API
 * has signed for this stake.
 */
async function refusalOfUnconfirmed(
  tx: Tx,
  { rootId, chain }: Unstaked,
  { proofs }: TreasuryFacts,
): Promise<string | null> {
  const [found] = await tx.query<ProvenConfirmation & Record<'proof' | 'signed', Buffer | null>>(
    `select c.root_id as "rootId", c.tx_id as "txId", c.block_height::float8 as "blockHeight", c.block_id as "blockId", c.proof, a.proof as signed
     from stake_confirmations c left join intent_attempts a on a.intent_id = c.root_id and a.tx_id = c.tx_id where c.root_id = $1`,
    [rootId],
  )
  if (!found?.proof || !proofs.worker.verifies(confirmationMessage({ ...found, chain }), found.proof))
    return 'nothing proves that its stake is confirmed'
  const { txId, signed } = found
  const isSigned =
    signed !== null && proofs.api.verifies(signedMessage({ intentId: rootId, chain, txId }), signed)
  return isSigned ? null : 'the transaction of its stake has no valid proof of the API'
}

/** Works both amounts out. Each part is paid whole, or not with this payment. */
function refusalOfAmounts(stake: Unstaked, { principal, rewards }: Payment): string | null {
  const { amount, earnedFrom, unstakedAt, lockedUntil } = stake
  const penalty = penaltyOf({
    amount,
    percent: storedPercent(stake.penaltyPercent),
    lockedUntil,
    at: unstakedAt,
  })
  const earned = rewardsOf({ amount, apy: storedPercent(stake.apy), from: earnedFrom, until: unstakedAt })
  if (principal !== 0n && principal !== amount - penalty) return 'it is not the net amount of its stake'
  return rewards !== 0n && rewards !== earned ? 'it is not the rewards of its stake' : null
}

/** The money of the stake has come, by the books; so have the rewards that are paid. */
async function refusalOfUnbooked(
  tx: Tx,
  { id, rootId, businessId, chain, token, stakedAmount }: Unstaked,
  { rewards }: Payment,
): Promise<string | null> {
  const rows = await tx.query<{ name: string; amount: string }>(
    `select a.name, sum(p.amount)::text as amount
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.cause_kind = 'stake' and e.reference = $1 and e.business_id = $2 and p.asset = $3 and a.business_id is null group by a.name`,
    [rootId, businessId, tokenAsset(chain, token)],
  )
  const booked = (name: string) => BigInt(rows.find((each) => each.name === name)?.amount ?? 0)
  // What the token kept of the transaction is a cost of the platform.
  if (booked(`staking:${chain}`) + booked('network_costs') !== stakedAmount)
    return 'its stake is not in the books'
  if (rewards === 0n) return null
  return rewards + (await signedOf(tx, rootId, id)).rewards <= booked('rewards')
    ? null
    : 'its rewards are not in the books'
}

/**
 * Base units of the other parts of a transaction that the treasury has taken to be signed, by its own record:
 * what they are, and their rewards.
 */
async function signedOf(
  db: Queryable,
  rootId: string,
  except: string,
): Promise<{ staked: bigint; rewards: bigint }> {
  const [row] = await db.query<Record<'staked' | 'rewards', string>>(
    `select coalesce(sum(staked), 0)::text as staked, coalesce(sum(rewards), 0)::text as rewards from (
       select max(stake_amount) as staked, max(amount) filter (where part = 'rewards') as rewards
       from stake_signatures where root_id = $1 and stake_id <> $2 group by stake_id) taken`,
    [rootId, except],
  )
  return { staked: BigInt(row?.staked ?? 0), rewards: BigInt(row?.rewards ?? 0) }
}

/**
 * Each part is signed for one intent. For another one, if the worker has proven that nothing of those before
 * can be mined; from the third on also only if an operator has released all of these.
 */
async function refusalOfSecond(
  tx: Tx,
  stake: Unstaked,
  payment: Payment,
  own: TreasuryFacts,
): Promise<string | null> {
  const { id, rootId, amount, stakedAmount } = stake
  const { intentId, principal, rewards } = payment
  // Also of a payment of rewards alone: they follow from the amount.
  if (amount + (await signedOf(tx, rootId, id)).staked > stakedAmount)
    return 'the parts of its stake are more than was staked'
  const paid = { principal, rewards }
  for (const part of parts) {
    if (payment[part] === 0n) continue
    const refusal = await refusalOfOthers(tx, stake, payment, part, own)
    if (refusal !== null) return refusal
    await tx.query(
      `insert into stake_signatures (stake_id, part, intent_id, root_id, amount, stake_amount) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      [id, part, intentId, rootId, String(paid[part]), String(amount)],
    )
  }
  return null
}

/** By the treasury's own record of what it has signed. */
async function refusalOfOthers(
  tx: Tx,
  { id }: Unstaked,
  payment: Payment,
  part: Part,
  { proofs }: TreasuryFacts,
): Promise<string | null> {
  const signed = await tx.query<{ intentId: string; txId: string; mayBeMined: boolean }>(
    `select t.intent_id as "intentId", t.tx_id as "txId",
       coalesce(t.expires_at > now(), false) or i.status not in ('failed', 'expired') or i.next_reconcile_at is not null as "mayBeMined"
     from stake_signatures s join treasury_signatures t on t.intent_id = s.intent_id join intents i on i.id = s.intent_id
     where s.stake_id = $1 and s.part = $2 and s.intent_id <> $3`,
    [id, part, payment.intentId],
  )
  if (signed.length === 0) return null
  const before = [...new Set(signed.map(({ intentId }) => intentId))]
  if (before.length > maxReplaced && !(await areRetried(tx, id, before, proofs.api)))
    return `its ${part} was paid again before`
  const { proof, replaces, givenUp } = payment
  const isGivenUp = signed.every(
    ({ intentId, txId }) => replaces.includes(intentId) && givenUp.includes(txId),
  )
  if (!isGivenUp || signed.some(({ mayBeMined }) => mayBeMined))
    return `another payment of its ${part} is signed`
  const isProven = proof !== null && proofs.worker.verifies(replacementMessage(payment), proof)
  return isProven ? null : `nothing proves that the other payment of its ${part} failed`
}

/** An operator has released each of these payments, by proofs of the API's key. */
async function areRetried(
  tx: Tx,
  stakeId: string,
  intentIds: readonly string[],
  api: Verifier,
): Promise<boolean> {
  const rows = await tx.query<{ intentId: string; proof: Buffer }>(
    'select intent_id as "intentId", proof from stake_retries where intent_id = any($1::uuid[])',
    [intentIds],
  )
  return (
    rows.length === intentIds.length &&
    rows.every(({ intentId, proof }) => api.verifies(retryMessage({ intentId, stakeId }), proof))
  )
}

/** The one transfer of a payment: from the staking address to the address that staked. */
export async function withdrawalAction(
  tx: Tx,
  row: Intent,
  { addresses, chain }: TreasuryFacts,
): Promise<Action | null> {
  const payment = await paymentOf(tx, row.id)
  const [stake] = payment ? await readStakes(tx, 'id = $1', [payment.stakeId]) : []
  const known = [...chain.tokens, ...chain.lookalikes, { ...chain.native, contract: null }]
  const asset = known.find(({ symbol }) => symbol === stake?.token)
  if (!payment || !stake || !asset || asset.contract !== stake.contract) return null
  const { contract, symbol, decimals } = asset
  return {
    kind: 'transfer',
    from: addresses.staking(chain.family),
    to: stake.from,
    token: contract === null ? null : { contract, symbol, decimals },
    amount: payment.principal + payment.rewards,
    memo: null,
    gasPrice: null,
    gasLimit: null,
  }
}
