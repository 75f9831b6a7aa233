import type { Action } from '../chains/action.ts'
import { tokenAsset } from '../ledger/entry.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { isSuspended } from '../txmgr/hold.ts'
import type { Intent, TreasuryFacts } from '../txmgr/intents.ts'
import { maxReplaced, type Part, parts } from './payments.ts'
import { storedPercent } from './percents.ts'
import { clockSkewMs, penaltyOf, rewardsOf } from './rewards.ts'
import { replacementMessage, termsMessage, unstakingMessage } from './stakeProof.ts'
import { readStakes, type Stake } from './storedStake.ts'

/** What a row says that a payment is for. Base units. */
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
 * The treasury's policy of payments of stakes: to the address in the terms that the API has proven, each part once, and no more than the net amount
 * and the rewards that follow from proven terms and times. The books must hold that much, and the parts of a transaction not be more than it. A
 * payment that can never be mined is replaced once, with a proof of the worker.
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
    refusalOfAmounts(stake, payment) ??
    (await refusalOfUnbooked(tx, stake, payment)) ??
    (await refusalOfSecond(tx, stake, payment, own))
  )
}

async function paymentOf(db: Queryable, intentId: string): Promise<Payment | null> {
  const [row] = await db.query<Omit<Payment, 'principal' | 'rewards'> & { principal: string; rewards: string }>(
    `select intent_id as "intentId", stake_id as "stakeId", principal::text as principal, rewards::text as rewards, replaces,
       given_up as "givenUp", proof from stake_payments where intent_id = $1`,
    [intentId],
  )
  return row ? { ...row, principal: BigInt(row.principal), rewards: BigInt(row.rewards) } : null
}

const isUnstaked = (stake: Stake): stake is Unstaked =>
  stake.status !== 'active' && stake.confirmedAt !== null && stake.earnedFrom !== null && stake.unstakedAt !== null

function refusalOfUnproven(stake: Unstaked, { proofs }: TreasuryFacts): string | null {
  if (!stake.termsProof || !proofs.api.verifies(termsMessage(stake), stake.termsProof)) return 'the terms of its stake have no valid proof of the API'
  if (!stake.unstakeProof || !proofs.api.verifies(unstakingMessage(stake), stake.unstakeProof))
    return 'the unstaking of its stake has no valid proof of the API'
  // Rewards would begin before there was a stake.
  return stake.earnedFrom.getTime() + clockSkewMs < stake.createdAt.getTime() ? 'its stake was confirmed before it was made' : null
}

/** Works both amounts out. Each part is paid whole, or not with this payment. */
function refusalOfAmounts(stake: Unstaked, { principal, rewards }: Payment): string | null {
  const { amount, earnedFrom, unstakedAt, lockedUntil } = stake
  const penalty = penaltyOf({ amount, percent: storedPercent(stake.penaltyPercent), lockedUntil, at: unstakedAt })
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
  if (booked(`staking:${chain}`) + booked('network_costs') !== stakedAmount) return 'its stake is not in the books'
  if (rewards === 0n) return null
  return rewards + (await signedOf(tx, rootId, 'rewards', id)) <= booked('rewards') ? null : 'its rewards are not in the books'
}

/** Base units that the treasury has taken to be signed for the parts of a transaction, by its own record. */
async function signedOf(db: Queryable, rootId: string, part: Part, except: string): Promise<bigint> {
  const [row] = await db.query<{ amount: string }>(
    `select coalesce(sum(amount), 0)::text as amount from (
       select distinct on (stake_id) amount from stake_signatures where root_id = $1 and part = $2 and stake_id <> $3) taken`,
    [rootId, part, except],
  )
  return BigInt(row?.amount ?? 0)
}

/** Each part is signed for one intent. For a second one, if the worker has proven that nothing of the first can be mined; for a third, never. */
async function refusalOfSecond(tx: Tx, stake: Unstaked, payment: Payment, own: TreasuryFacts): Promise<string | null> {
  const { id, rootId, amount, stakedAmount } = stake
  const { intentId, principal, rewards } = payment
  if (principal > 0n && amount + (await signedOf(tx, rootId, 'principal', id)) > stakedAmount)
    return 'the parts of its stake are more than was staked'
  const whole = { principal: amount, rewards }
  for (const part of parts) {
    if (payment[part] === 0n) continue
    const refusal = await refusalOfOthers(tx, stake, payment, part, own)
    if (refusal !== null) return refusal
    await tx.query(`insert into stake_signatures (stake_id, part, intent_id, root_id, amount) values ($1, $2, $3, $4, $5) on conflict do nothing`, [
      id,
      part,
      intentId,
      rootId,
      String(whole[part]),
    ])
  }
  return null
}

/** By the treasury's own record of what it has signed. */
async function refusalOfOthers(tx: Tx, { id }: Unstaked, payment: Payment, part: Part, { proofs }: TreasuryFacts): Promise<string | null> {
  const signed = await tx.query<{ intentId: string; txId: string; mayBeMined: boolean }>(
    `select t.intent_id as "intentId", t.tx_id as "txId",
       coalesce(t.expires_at > now(), false) or i.status not in ('failed', 'expired') or i.next_reconcile_at is not null as "mayBeMined"
     from stake_signatures s join treasury_signatures t on t.intent_id = s.intent_id join intents i on i.id = s.intent_id
     where s.stake_id = $1 and s.part = $2 and s.intent_id <> $3`,
    [id, part, payment.intentId],
  )
  if (signed.length === 0) return null
  if (new Set(signed.map(({ intentId }) => intentId)).size > maxReplaced) return `its ${part} was paid again before`
  const { proof, replaces, givenUp } = payment
  const isGivenUp = signed.every(({ intentId, txId }) => replaces.includes(intentId) && givenUp.includes(txId))
  if (!isGivenUp || signed.some(({ mayBeMined }) => mayBeMined)) return `another payment of its ${part} is signed`
  const isProven = proof !== null && proofs.worker.verifies(replacementMessage(payment), proof)
  return isProven ? null : `nothing proves that the other payment of its ${part} failed`
}

/** The one transfer of a payment: from the staking address to the address that staked. */
export async function withdrawalAction(tx: Tx, row: Intent, { addresses, chain }: TreasuryFacts): Promise<Action | null> {
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
