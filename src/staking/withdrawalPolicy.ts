import type { Action } from '../chains/action.ts'
import { assetsOf, registeredChain } from '../chains/registry.ts'
import { tokenAsset } from '../ledger/entry.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { isSuspended } from '../txmgr/hold.ts'
import type { Intent, TreasuryFacts } from '../txmgr/intents.ts'
import { storedPercent } from './percents.ts'
import { penaltyOf, rewardsOf } from './rewards.ts'
import { termsMessage, unstakingMessage } from './stakeProof.ts'
import { readStakes, type Stake } from './storedStake.ts'

/** What a row says that a payment is for. Base units. */
interface Payment {
  stakeId: string
  principal: bigint
  rewards: bigint
}

/** An unstaked stake, with all that its amounts follow from. */
type Unstaked = Stake & { confirmedAt: Date; unstakedAt: Date }

/**
 * The treasury's policy of payments of stakes: to the address in the terms that the API has proven, each part once, and no more than the net amount
 * and the rewards that follow from proven terms and times. The books must hold that much, and the parts of a transaction not be more than it.
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
    (await refusalOfSecond(tx, stake, payment, row.id))
  )
}

async function paymentOf(db: Queryable, intentId: string): Promise<Payment | null> {
  const [row] = await db.query<{ stakeId: string; principal: string; rewards: string }>(
    'select stake_id as "stakeId", principal::text as principal, rewards::text as rewards from stake_payments where intent_id = $1',
    [intentId],
  )
  return row ? { stakeId: row.stakeId, principal: BigInt(row.principal), rewards: BigInt(row.rewards) } : null
}

const isUnstaked = (stake: Stake): stake is Unstaked => stake.status !== 'active' && stake.confirmedAt !== null && stake.unstakedAt !== null

function refusalOfUnproven(stake: Unstaked, { proofs }: TreasuryFacts): string | null {
  if (!stake.termsProof || !proofs.api.verifies(termsMessage(stake), stake.termsProof)) return 'the terms of its stake have no valid proof of the API'
  if (!stake.unstakeProof || !proofs.api.verifies(unstakingMessage(stake), stake.unstakeProof))
    return 'the unstaking of its stake has no valid proof of the API'
  // Rewards would begin before there was a stake.
  return stake.confirmedAt.getTime() + clockSkewMs < stake.createdAt.getTime() ? 'its stake was confirmed before it was made' : null
}

/** Between the clock of a chain's blocks and that of the api. */
const clockSkewMs = 120_000

/** Works both amounts out. Each part is paid whole, or not with this payment. */
function refusalOfAmounts(stake: Unstaked, { principal, rewards }: Payment): string | null {
  const { amount, confirmedAt, unstakedAt, lockedUntil } = stake
  const penalty = penaltyOf({ amount, percent: storedPercent(stake.penaltyPercent), lockedUntil, at: unstakedAt })
  const earned = rewardsOf({ amount, apy: storedPercent(stake.apy), from: confirmedAt, until: unstakedAt })
  if (principal !== 0n && principal !== amount - penalty) return 'it is not the net amount of its stake'
  if (rewards !== 0n && rewards !== earned) return 'it is not the rewards of its stake'
  return principal + rewards > 0n ? null : 'it pays nothing'
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
  if (booked(`staking:${chain}`) !== stakedAmount) return 'its stake is not in the books'
  if (rewards === 0n) return null
  return rewards + (await signedOf(tx, rootId, 'rewards', id)) <= booked('rewards') ? null : 'its rewards are not in the books'
}

/** Base units that the treasury has signed for the parts of a transaction, by its own record. */
async function signedOf(db: Queryable, rootId: string, part: 'principal' | 'rewards', except: string): Promise<bigint> {
  const [row] = await db.query<{ amount: string }>(
    `select coalesce(sum(amount), 0)::text as amount from stake_signatures where root_id = $1 and part = $2 and stake_id <> $3`,
    [rootId, part, except],
  )
  return BigInt(row?.amount ?? 0)
}

/** Each part of a payment belongs to one intent for ever: the treasury asks no chain what became of another one. */
async function refusalOfSecond(tx: Tx, stake: Unstaked, { principal, rewards }: Payment, intentId: string): Promise<string | null> {
  const { id, rootId, amount, stakedAmount } = stake
  if (principal > 0n && amount + (await signedOf(tx, rootId, 'principal', id)) > stakedAmount)
    return 'the parts of its stake are more than was staked'
  for (const [part, paid, whole] of [['principal', principal, amount] as const, ['rewards', rewards, rewards] as const]) {
    if (paid === 0n) continue
    await tx.query('insert into stake_signatures (stake_id, part, intent_id, root_id, amount) values ($1, $2, $3, $4, $5) on conflict do nothing', [
      id,
      part,
      intentId,
      rootId,
      String(whole),
    ])
    const [taken] = await tx.query('select 1 from stake_signatures where stake_id = $1 and part = $2 and intent_id = $3', [id, part, intentId])
    if (!taken) return `another payment of its ${part} is signed`
  }
  return null
}

/** The one transfer of a payment: from the staking address to the address that staked. */
export async function withdrawalAction(tx: Tx, row: Intent, { addresses, chain }: TreasuryFacts): Promise<Action | null> {
  const payment = await paymentOf(tx, row.id)
  const [stake] = payment ? await readStakes(tx, 'id = $1', [payment.stakeId]) : []
  const asset = stake && assetsOf(registeredChain(chain.name)).find(({ symbol }) => symbol === stake.token)
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
