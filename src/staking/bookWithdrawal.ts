import { registeredChain } from '../chains/registry.ts'
import { platformAccount } from '../ledger/account.ts'
import { type Posting, summed, tokenAsset } from '../ledger/entry.ts'
import { entryToward } from '../ledger/entryToward.ts'
import type { Tx } from '../platform/database/db.ts'
import { rentEntry } from '../txmgr/bookIntent.ts'
import type { Intent } from '../txmgr/intents.ts'
import { isOutcome } from '../txmgr/nextState.ts'
import { bookParts } from './bookParts.ts'
import { readStakes, type Stake } from './storedStake.ts'

const kinds = {
  posted: 'stake_withdrawal.posted',
  corrected: 'stake_withdrawal.corrected',
  reversed: 'stake_withdrawal.reversed',
}

/**
 * Posts what a payment of a stake moved, and what the network took, as its row has it; with that what its
 * stake is in the books, which depends on what was paid. On Solana it may also pay the rent of the token
 * account that it opens for the staker: a cost of the platform. Locks all parts of the stake. The caller has
 * locked the row.
 */
export async function bookWithdrawal(tx: Tx, row: Intent): Promise<void> {
  const [stake] = await readStakes(tx, 'id = (select stake_id from stake_payments where intent_id = $1)', [
    row.id,
  ])
  if (!stake) return
  const entries = await entryToward(
    tx,
    { kind: 'stake_withdrawal', id: row.id },
    kinds,
    wantedFor(row, stake),
    stake.businessId,
  )
  await bookParts(tx, stake.rootId, [...entries, ...(await rentEntry(tx, row))])
}

/** A transaction that failed has cost its fee alone. */
function wantedFor(row: Intent, { businessId, chain, token }: Stake): Posting[] {
  if (row.blockHeight === null || !isOutcome(row.status) || row.action.kind !== 'transfer') return []
  const [asset, native] = [tokenAsset(chain, token), tokenAsset(chain, registeredChain(chain).native.symbol)]
  const place = (of: string) => platformAccount(`staking:${chain}`, of)
  const cost = row.fee ?? 0n
  const lines: Posting[] = [
    { account: platformAccount('network_costs', native), amount: cost },
    { account: place(native), amount: -cost },
  ]
  if (row.status !== 'confirmed') return summed(lines)
  const { amount } = row.action
  return summed([
    ...lines,
    { account: { name: 'stakes', businessId, asset }, amount },
    { account: place(asset), amount: -amount },
  ])
}
