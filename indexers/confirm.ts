import type { Tx } from '../src/platform/db.ts'
import { enqueue } from '../src/platform/outbox.ts'
import { askExpiries } from '../src/sessions/askExpiries.ts'
import { type CommitContext, hasWitness } from './context.ts'

/** How far a chain is read and final, as its cursor says. */
export interface Progress {
  height: number
  /** The newest final height: as the chain says, or by depth where no provider tells. */
  finalized: number
  /** Time of the newest block that is final by the chain's own rule. */
  confirmedTime: Date | null
}

/**
 * Confirms what is deep enough now and, where there is a second provider, was found by that one too; asks for the expiry
 * of sessions whose time is over by the chain's own clock.
 * @returns how many detections were confirmed
 */
export async function confirmDue(ctx: CommitContext, tx: Tx, at: Progress): Promise<number> {
  const rows = await tx.query<{ subject_id: string }>(
    `update detections set status = 'confirmed', confirmed_at = now()
     where chain = $1 and status = 'seen' and block_height <= case when depth is null then $3::bigint else $2::bigint - depth + 1 end
       and (agreed_at is not null or not $4)
     returning subject_id`,
    [ctx.chain.name, at.height, at.finalized, hasWitness(ctx.chain)],
  )
  await enqueue(
    tx,
    'session-payment',
    [...new Set(rows.map((row) => row.subject_id))].map((sessionId) => ({ sessionId, reason: 'confirmed' as const })),
  )
  if (at.confirmedTime) await askExpiries(tx, ctx.chain.name, at.confirmedTime)
  return rows.length
}

/** The newest height that counts as finalized: what the chain said, or, where no provider says it, what is deep enough. */
export const finalizedHeight = (chain: CommitContext['chain'], height: number, told: number | null): number =>
  told === null ? height - chain.finalizedDepth + 1 : Math.min(told, height)

/** The newest height that is final by the chain's own rule. */
export const confirmedHeight = (chain: CommitContext['chain'], height: number, finalized: number): number =>
  chain.byFinalizedTag ? finalized : height - chain.confirmations + 1
