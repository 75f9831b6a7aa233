import { type Intent, readIntents } from '../../../src/txmgr/intents.ts'
import { gasOfTransfer } from './chain.ts'
import type { World } from './world.ts'

export interface Outcome {
  seed: number
  /** What is wrong; empty if nothing is. */
  problems: string[]
  /** What the chain took for transfers of the platform, and the lowest that their blocks took, in wei. */
  fees: { paid: bigint; lowest: bigint }
  maxWaited: number
  mined: number
}

/**
 * Rounds in a row in which an intent may wait although it could go. What nodes accepted and forgot is sent
 * again at every eighth reconcile, one a round: three times that, because a history may evict it again, and a
 * few rounds to bump it.
 */
const maxWait = 30

/** Payments to a recipient on the present branch, counted without the product. */
const paidTo = ({ chain }: World, to: string) =>
  chain.blocks.flatMap(({ transactions, price }) =>
    transactions.filter((each) => each.to === to).map((transaction) => ({ transaction, price })),
  )

/**
 * Counts for how long each intent could have gone: a block of now takes it at a fee within its ceiling, and
 * its nonce is free.
 */
export async function countWaits(world: World): Promise<void> {
  const { stage, businessId, chain, rules, isRich, wanted } = world
  const { baseFee, tip } = chain.tip().price
  const pays = gasOfTransfer * (2n * baseFee + 2n * tip) <= rules.maxFee
  const open = await stage.database.db.query<{ id: string; nonce: string | null }>(
    `select i.id, max(a.nonce) as nonce from intents i left join intent_attempts a on a.intent_id = i.id and a.void_at is null
     where i.business_id = $1 and i.status not in ('confirmed', 'failed', 'expired') group by i.id`,
    [businessId],
  )
  for (const each of wanted) {
    const row = open.find(({ id }) => id === each.id)
    const used = chain.accountAt(chain.tip().height, each.wallet.address).nonce
    const isFree = row !== undefined && (row.nonce === null || Number(row.nonce) >= used)
    each.waited = isRich && pays && isFree ? each.waited + 1 : 0
    each.maxWaited = Math.max(each.maxWaited, each.waited)
  }
}

/** Bytes that every node refused are watched for a day: its state is that of a settled one. */
const hasEnded = ({ settled, status, reason }: Pick<Intent, 'settled' | 'status' | 'reason'>) =>
  settled || (status === 'failed' && reason === 'refused')

export async function haveAllEnded({ stage, businessId }: World): Promise<boolean> {
  return (
    await readIntents(stage.database.db, 'business_id = $1 and next_reconcile_at is not null', [businessId])
  ).every(hasEnded)
}

/** Compares the rows with the chain. */
export async function checkEnd(world: World, seed: number): Promise<Outcome> {
  const { stage, businessId, wanted, count } = world
  const rows = await readIntents(stage.database.db, 'business_id = $1', [businessId])
  const problems = rows
    .filter((row) => !hasEnded(row))
    .map(({ id, status, reason }) => `intent ${id} has not ended: ${status}, ${reason}`)
  const outcome: Outcome = {
    seed,
    problems,
    fees: { paid: 0n, lowest: 0n },
    maxWaited: Math.max(0, ...wanted.map((each) => each.maxWaited)),
    mined: 0,
  }
  for (const { id, to, amount, maxWaited } of wanted) {
    const paid = paidTo(world, to)
    const row = rows.find((each) => each.id === id)
    const isConfirmed = row?.status === 'confirmed'
    count(`ends ${row?.status}${row?.reason ? ` ${row.reason}` : ''}`)
    if (paid.length > 1) problems.push(`intent ${id} was paid ${paid.length} times`)
    if (paid.some(({ transaction }) => transaction.value !== amount))
      problems.push(`intent ${id} paid another amount`)
    if (paid.length > 0 !== isConfirmed)
      problems.push(`intent ${id} is ${row?.status}, and was paid ${paid.length} times`)
    if (maxWaited > maxWait) problems.push(`intent ${id} could go for ${maxWaited} rounds, and did not`)
    outcome.mined += paid.length
  }
  addFees(world, outcome)
  return outcome
}

/**
 * All transactions that the treasury signed count, also those that only fill or cancel a nonce; the lowest
 * fee counts those of transfers.
 */
function addFees({ chain, wallets, wanted }: World, { fees }: Outcome): void {
  const [senders, recipients] = [
    new Set(wallets.map(({ address }) => address)),
    new Set(wanted.map(({ to }) => to)),
  ]
  for (const { transactions, price } of chain.blocks)
    for (const each of transactions) {
      const isTransfer = recipients.has(each.to)
      if (!senders.has(each.from) || (!isTransfer && each.to !== each.from)) continue
      fees.paid += gasOfTransfer * (chain.find(each.hash)?.price ?? 0n)
      if (isTransfer) fees.lowest += gasOfTransfer * (price.baseFee + price.tip)
    }
}
