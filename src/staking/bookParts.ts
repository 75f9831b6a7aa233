import { type Account, accountKey, platformAccount } from '../ledger/account.ts'
import { type Entry, type Posting, summed, tokenAsset } from '../ledger/entry.ts'
import { entryToward } from '../ledger/entryToward.ts'
import { lockedFor } from '../ledger/lockedAccounts.ts'
import { sendEntries } from '../ledger/post.ts'
import type { Tx } from '../platform/db.ts'
import { lockParts, type Stake } from './storedStake.ts'

const kinds = { posted: 'stake.posted', corrected: 'stake.unstaked', reversed: 'stake.reversed' }

/**
 * Posts what the parts of a stake now say: its money, penalties, and rewards that the account of rewards can pay; a fork takes all of it back.
 * Call it after the change of the parts, and without another posting in the transaction.
 * Native stakes are not in the books: the chain holds their money for its owner.
 * @returns false if the account of rewards is short: the parts that it cannot pay stay as they are
 */
export async function bookParts(tx: Tx, rootId: string): Promise<boolean> {
  const parts = await lockParts(tx, rootId)
  const [first] = parts
  if (!first || first.type === 'native') return true
  const due = parts.filter(({ confirmedAt, rewards, rewardsBooked }) => confirmedAt !== null && (rewards ?? 0n) > 0n && !rewardsBooked)
  const paid = await paidOf(tx, rootId)
  const entryOf = (also: readonly Stake[]): Promise<Entry[]> =>
    entryToward(tx, { kind: 'stake', id: rootId }, kinds, wantedFor(parts, new Set(also.map(({ id }) => id)), paid), first.businessId)
  const all = await entryOf(due)
  const locked = await lockedFor(tx, all)
  const rewards = platformAccount('rewards', tokenAsset(first.chain, first.token))
  const available = locked.get(accountKey(rewards))?.balance ?? 0n
  const funded = fundedOf(due, available)
  sendEntries(tx, funded.length === due.length ? all : await entryOf(funded), locked)
  if (funded.length > 0) await tx.query('update stakes set rewards_booked = true where id = any($1::uuid[])', [funded.map(({ id }) => id)])
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

/** What the stakes of a transaction are in the books. Without its block only a debt is left: what was paid back. */
function wantedFor(parts: readonly Stake[], also: ReadonlySet<string>, paid: bigint): Posting[] {
  const [first] = parts
  if (!first) return []
  const { businessId, chain, token, stakedAmount } = first
  const asset = tokenAsset(chain, token)
  const line = (account: Account, amount: bigint): Posting => ({ account, amount })
  const stakes: Account = { name: 'stakes', businessId, asset }
  if (first.confirmedAt === null) return summed([line(stakes, -paid), line({ name: 'available', businessId, asset }, paid)])
  const sum = (of: (part: Stake) => bigint) => parts.reduce((all, part) => all + of(part), 0n)
  const penalties = sum(({ penalty }) => penalty ?? 0n)
  const rewards = sum((part) => (part.rewardsBooked || also.has(part.id) ? (part.rewards ?? 0n) : 0n))
  return summed([
    line(platformAccount(`staking:${chain}`, asset), stakedAmount),
    line(stakes, penalties - rewards - stakedAmount),
    line(platformAccount('penalties', asset), -penalties),
    line(platformAccount('rewards', asset), rewards),
  ])
}

/** Base units that confirmed payments have taken from the account of stakes. */
async function paidOf(tx: Tx, rootId: string): Promise<bigint> {
  const [row] = await tx.query<{ amount: string }>(
    `select coalesce(sum(p.principal + p.rewards), 0)::text as amount
     from stakes s join stake_payments p on p.stake_id = s.id join intents i on i.id = p.intent_id where s.root_id = $1 and i.status = 'confirmed'`,
    [rootId],
  )
  return BigInt(row?.amount ?? 0)
}
