/** SQL: a row of `intents` that waits for a lower fee. */
export const feeWaitSql = `(intents.fee_waits_since is not null and intents.next_reconcile_at is not null
  and intents.status in ('created', 'signed', 'broadcast', 'unknown'))`

/** Shown for a transfer that waits for a lower fee. */
export const feeWaitReason = 'fee_too_high'
export const feeWaitMessage =
  'The network asks for a higher fee than is allowed for the transfer, or a node refused it for its price: it is sent when the price falls'
