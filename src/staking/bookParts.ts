import { type Account, accountKey, platformAccount } from '../ledger/account.ts'
import { type Entry, type Posting, summed, tokenAsset } from '../ledger/entry.ts'
import { entryToward } from '../ledger/entryToward.ts'
import { lockedFor } from '../ledger/lockedAccounts.ts'
import { sendEntries } from '../ledger/post.ts'
import { sumOf } from '../money/amount.ts'
import type { Tx } from '../platform/database/db.ts'
import { readIntents } from '../txmgr/intents.ts'
import { lockParts, type Stake } from './storedStake.ts'

const kinds = { posted: 'stake.posted', corrected: 'stake.unstaked', reversed: 'stake.reversed' }

/** Base units that confirmed payments of a part have taken from the account of stakes. */
interface Paid {
  principal: bigint
  rewards: bigint
}
const nothingPaid: Paid = { principal: 0n, rewards: 0n }

/**
 * Posts the present state of a stake's parts: its money, penalties, and rewards that the account of rewards
 * can pay; a fork takes all of it back, and what was paid without it is owed by the business.
 * Call it after the change of the parts or of their payments, and without another posting in the transaction.
 * @param also posted with it, since the accounts of a transaction's entries are locked in one order
 * Native stakes are not in the books: the chain holds their money for its owner.
 * @returns false if the account of rewards is short: the parts that it cannot pay stay as they are
 */
export async function bookParts(tx: Tx, rootId: string, also: readonly Entry[] = []): Promise<boolean> {
  const parts = await lockParts(tx, rootId)
  const [first] = parts
  if (!first || first.type === 'native') return true
  const paid = await paidOf(tx, rootId)
  const kept = await keptOf(tx, first)
  const isPaid = ({ id }: Stake) => (paid.get(id)?.rewards ?? 0n) > 0n
  const unbooked = parts.filter(
    ({ confirmedAt, rewards, rewardsBooked }) =>
      confirmedAt !== null && (rewards ?? 0n) > 0n && !rewardsBooked,
  )
  const due = [...unbooked.filter(isPaid), ...unbooked.filter((part) => !isPaid(part))]
  const entryOf = (more: readonly Stake[]): Promise<Entry[]> =>
    entryToward(
      tx,
      { kind: 'stake', id: rootId },
      kinds,
      wantedFor(parts, new Set(more.map(({ id }) => id)), { paid, kept }),
      first.businessId,
    )
  const all = await entryOf(due)
  const { businessId } = first
  const asset = tokenAsset(first.chain, first.token)
  // The entry of fewer parts has others: rewards that are short are owed, and not in the account of stakes.
  const others: Account[] = [
    { name: 'stakes', businessId, asset },
    ...(due.some(isPaid) ? [{ name: 'available', businessId, asset } as const] : []),
  ]
  const locked = await lockedFor(tx, [...all, ...also], due.length > 0 ? others : [])
  const rewards = platformAccount('rewards', asset)
  const available = locked.get(accountKey(rewards))?.balance ?? 0n
  const funded = fundedOf(due, available)
  // One statement: the account of stakes may not be negative after it, and may be between the two.
  sendEntries(tx, [...(funded.length === due.length ? all : await entryOf(funded)), ...also], locked)
  if (funded.length > 0)
    await tx.query('update stakes set rewards_booked = true where id = any($1::uuid[])', [
      funded.map(({ id }) => id),
    ])
  return funded.length === due.length
}

/** The parts whose whole rewards there is money for, in their order. */
function fundedOf(due: readonly Stake[], available: bigint): Stake[] {
  let left = available
  return due.filter(({ rewards }) => {
    const isFunded = (rewards ?? 0n) <= left
    if (isFunded) left -= rewards ?? 0n
    return isFunded
  })
}

/**
 * What the stakes of a transaction are in the books. What its token kept is a cost: the staker is owed the
 * whole amount. Owed by the business: what was paid of a stake without its block, and rewards that were paid,
 * went back with a transaction that failed, and are short since it has succeeded after all.
 */
function wantedFor(
  parts: readonly Stake[],
  more: ReadonlySet<string>,
  { paid, kept }: { paid: ReadonlyMap<string, Paid>; kept: bigint },
): Posting[] {
  const [first] = parts
  if (!first) return []
  const { businessId, chain, token, confirmedAt } = first
  const asset = tokenAsset(chain, token)
  const line = (account: Account, amount: bigint): Posting => ({ account, amount })
  const sum = (of: (part: Stake) => bigint) => parts.reduce((all, part) => all + of(part), 0n)
  const paidFor = ({ id }: Stake) => paid.get(id) ?? nothingPaid
  const isBooked = ({ id, rewardsBooked }: Stake) => rewardsBooked || more.has(id)
  const staked = confirmedAt === null ? 0n : first.stakedAmount
  const penalties = confirmedAt === null ? 0n : sum(({ penalty }) => penalty ?? 0n)
  const rewards = sum((part) => (isBooked(part) ? (part.rewards ?? 0n) : 0n))
  const owed = sum(
    (part) =>
      (confirmedAt === null ? paidFor(part).principal : 0n) + (isBooked(part) ? 0n : paidFor(part).rewards),
  )
  return summed([
    line(platformAccount(`staking:${chain}`, asset), confirmedAt === null ? 0n : staked - kept),
    line(platformAccount('network_costs', asset), confirmedAt === null ? 0n : kept),
    line({ name: 'stakes', businessId, asset }, penalties - rewards - staked - owed),
    line(platformAccount('penalties', asset), -penalties),
    line(platformAccount('rewards', asset), rewards),
    line({ name: 'available', businessId, asset }, owed),
  ])
}

/** Base units of the transaction's amount that its token kept. */
async function keptOf(tx: Tx, { rootId, businessId }: Stake): Promise<bigint> {
  const [intent] = await readIntents(tx, 'id = $1 and business_id = $2', [rootId, businessId])
  return sumOf(intent?.tokenKept ?? [])
}

/** By part. */
async function paidOf(tx: Tx, rootId: string): Promise<ReadonlyMap<string, Paid>> {
  const rows = await tx.query<{ id: string } & Record<keyof Paid, string>>(
    `select s.id, sum(p.principal)::text as principal, sum(p.rewards)::text as rewards
     from stakes s join stake_payments p on p.stake_id = s.id join intents i on i.id = p.intent_id
     where s.root_id = $1 and i.status = 'confirmed' and i.block_height is not null group by s.id`,
    [rootId],
  )
  return new Map(
    rows.map(({ id, principal, rewards }) => [
      id,
      { principal: BigInt(principal), rewards: BigInt(rewards) },
    ]),
  )
}
