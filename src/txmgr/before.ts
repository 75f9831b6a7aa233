import type { Outcome } from '../chains/sending.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Intent } from './intents.ts'

/** `waiting`: no node is known to have it, or it is in a block and may have failed there. */
type Standing = 'done' | 'sent' | 'waiting' | 'failed'

/** The standing of the intent that this one follows; `done` if it is the first. */
export async function standingBefore(tx: Tx, { follows }: Pick<Intent, 'follows'>): Promise<Standing> {
  if (follows === null) return 'done'
  const [before] = await tx.query<Pick<Intent, 'status' | 'blockHeight'>>(
    'select status, block_height as "blockHeight" from intents where id = $1',
    [follows],
  )
  if (before?.status === 'confirmed') return 'done'
  if (before?.status === 'failed' || before?.status === 'expired') return 'failed'
  return before?.status === 'broadcast' && before.blockHeight === null ? 'sent' : 'waiting'
}

/**
 * An outcome counts once the intent before has one, so that the end of an intent is published when both are
 * known. Until then, treat it as the report of one block.
 */
export async function outcomeAfter(tx: Tx, row: Pick<Intent, 'follows'>, outcome: Outcome): Promise<Outcome> {
  if (row.follows === null || outcome.status === 'absent') return outcome
  const before = await standingBefore(tx, row)
  return before === 'done' || before === 'failed' ? outcome : { ...outcome, standing: 'seen' }
}
