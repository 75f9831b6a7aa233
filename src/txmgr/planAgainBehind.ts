import type { Tx } from '../platform/database/db.ts'
import { readAttempts, voidAttempts } from './attempts.ts'
import type { Intent } from './intents.ts'

/**
 * Plans unsigned intents of the same address again, so that they do not wait for the nonce of one that ended.
 * Skips those that another process has locked, which may wait for this one: where such a one waits in the
 * end, a no-op fills the nonce.
 */
export async function planAgainBehind(tx: Tx, { id, chain, action }: Intent): Promise<void> {
  const behind = await tx.query<{ id: string }>(
    `select id from intents where chain = $1 and from_address = $2 and id <> $3 and status = 'created' and next_reconcile_at is not null
     order by id for update skip locked`,
    [chain, action.from, id],
  )
  for (const { id: each } of behind) {
    const unsigned = (await readAttempts(tx, each)).filter(
      ({ isVoid, sent, nonce }) => !isVoid && sent === null && nonce !== null,
    )
    const numbers = unsigned.map(({ number }) => number)
    await voidAttempts(tx, each, numbers, 'the transfer with the nonce before it ended')
  }
}
