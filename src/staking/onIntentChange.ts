import type { OnChange } from '../txmgr/intents.ts'
import { isOutcome } from '../txmgr/nextState.ts'
import { bookWithdrawal } from './bookWithdrawal.ts'

/** Lets a worker read the block of a stake, or end one of which nothing was staked. */
export const onStakeChange: OnChange = async (tx, row) => {
  await tx.query('update stakes set next_at = now() where id = $1', [row.id])
  await tx.query("select pg_notify('cowry_staking', '')")
}

/** Books what a payment moved and cost, and lets a worker take its stake further. */
export const onWithdrawalChange: OnChange = async (tx, row, before) => {
  // The treasury, which fails payments that it refuses, cannot read the books. All parts are locked first, in
  // one order.
  if (isOutcome(before) || row.blockHeight !== null) await bookWithdrawal(tx, row)
  await tx.query(
    'update stakes set next_at = now() where id in (select stake_id from stake_payments where intent_id = $1)',
    [row.id],
  )
  await tx.query("select pg_notify('cowry_staking', '')")
}
