import type { Tx } from '../src/platform/db.ts'
import { askExpiries } from '../src/sessions/askExpiries.ts'
import { type CommitContext, hasWitness } from './context.ts'
import { type DetectionRow, detectionRow, tellOfPayments } from './tellOfPayments.ts'

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
  const rows = await tx.query<DetectionRow>(
    `update detections set status = 'confirmed', confirmed_at = now()
     where chain = $1 and status = 'seen' and block_height <= case when depth is null then $3::bigint else $2::bigint - depth + 1 end
       and (agreed_at is not null or not needs_agreement)
     returning ${detectionRow}`,
    [ctx.chain.name, at.height, at.finalized],
  )
  await tellOfPayments(tx, rows, 'confirmed')
  if (at.confirmedTime) await askExpiries(tx, ctx.chain.name, at.confirmedTime)
  return rows.length
}

/** The same question for a detection that is not stored yet. */
export const isDue = (ctx: CommitContext, at: Progress, blockHeight: number, depth: number | null): boolean =>
  !hasWitness(ctx.chain) && blockHeight <= (depth === null ? at.finalized : at.height - depth + 1)

/**
 * How far the chain is, with the time up to which it is final by its own rule written to the cursor. The transaction holds the
 * cursor's row.
 */
export async function progressOf(ctx: CommitContext, tx: Tx, height: number, ever: string | null, now: number | null): Promise<Progress> {
  const finalized = finalizedHeight(ctx.chain, height, ever === null ? null : Number(ever), now)
  const [row] = await tx.query<{ confirmed_time: Date | null }>(
    `update chain_cursors set confirmed_time = coalesce((select time from blocks where chain = $1 and height = $2 and canonical), confirmed_time)
     where chain = $1 returning confirmed_time`,
    [ctx.chain.name, confirmedHeight(ctx.chain, height, finalized)],
  )
  return { height, finalized, confirmedTime: row?.confirmed_time ?? null }
}

/**
 * The newest height that counts as finalized: what the chain ever said, or, where nobody says it now and no node of the chain
 * could, what is deep enough.
 * @param ever what is recorded of what the chain said
 * @param now what it said to this process; null: nothing
 */
export const finalizedHeight = (chain: CommitContext['chain'], height: number, ever: number | null, now: number | null): number =>
  Math.max(Math.min(ever ?? -1, height), now !== null ? Math.min(now, height) : chain.saysFinalized ? -1 : height - chain.finalizedDepth + 1)

/** The newest height that is final by the chain's own rule. */
export const confirmedHeight = (chain: CommitContext['chain'], height: number, finalized: number): number =>
  chain.byFinalizedTag ? finalized : height - chain.confirmations + 1
