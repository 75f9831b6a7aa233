import type { Tx } from '../src/platform/database/db.ts'
import { requestExpiries } from '../src/sessions/requestExpiries.ts'
import { detectionRow } from '../src/watches/publishDetections.ts'
import type { DetectionRow } from '../src/watches/purposes.ts'
import { type CommitContext, hasSecondProvider } from './context.ts'
import { publish } from './publish.ts'

/** Heights that the providers reported to this process; null: not yet. */
export interface ReportedHeights {
  /** The newest committed height that the chain calls finalized. */
  finalized: number | null
  /** The newest height that two providers have. */
  head: number | null
}

/** How far a chain is read and final. */
export interface Progress {
  height: number
  /**
   * The height that depth counts from; null while unknown. Two providers must have it: one alone could invent
   * blocks.
   */
  deep: number | null
  /** The newest final height: by the chain's report, or by depth if no provider reports finality. */
  finalized: number
  /** Time of the newest block that is final by the chain's own rule. */
  confirmedTime: Date | null
}

/**
 * Confirms detections that are deep enough and, with a second provider, agreed to. Requests the expiry of
 * sessions that ended by the chain's clock.
 * @returns how many detections were confirmed
 */
export async function confirmDue(ctx: CommitContext, tx: Tx, at: Progress): Promise<number> {
  const [confirmed] = await Promise.all([
    confirmDetections(ctx, tx, at),
    at.confirmedTime && requestExpiries(tx, ctx.chain.name, at.confirmedTime),
  ])
  return confirmed
}

async function confirmDetections(ctx: CommitContext, tx: Tx, at: Progress): Promise<number> {
  const rows = await tx.query<DetectionRow>(
    `update detections set status = 'confirmed', confirmed_at = now()
     where chain = $1 and status = 'seen' and block_height <= case when depth is null then $3::bigint else $2::bigint - depth + 1 end
       and (agreed_at is not null or not needs_agreement)
     returning ${detectionRow}`,
    [ctx.chain.name, at.deep, at.finalized],
  )
  await publish(tx, rows, 'confirmed')
  return rows.length
}

/** The same rule for a detection that is not stored yet. */
export const isDue = (ctx: CommitContext, at: Progress, blockHeight: number, depth: number | null): boolean =>
  !hasSecondProvider(ctx.chain) && blockHeight <= (depth === null ? at.finalized : at.height - depth + 1)

/**
 * The progress of a chain; also stores the time up to which it is final by its own rule. The caller's
 * transaction has locked the cursor's row.
 */
export async function progressOf(
  ctx: CommitContext,
  tx: Tx,
  height: number,
  ever: string | null,
  reported: ReportedHeights,
): Promise<Progress> {
  const deep = deepHeight(ctx.chain, height, reported)
  const finalized = finalizedHeight(ctx.chain, height, deep, ever === null ? null : Number(ever), reported)
  const [row] = await tx.query<{ confirmedTime: Date | null }>(
    `update chain_cursors set confirmed_time = coalesce((select time from blocks where chain = $1 and height = $2 and canonical), confirmed_time)
     where chain = $1 returning confirmed_time as "confirmedTime"`,
    [ctx.chain.name, confirmedHeight(ctx.chain, deep, finalized)],
  )
  return { height, deep, finalized, confirmedTime: row?.confirmedTime ?? null }
}

/** With a second provider, depth counts from the head that both have. */
export function deepHeight(
  chain: CommitContext['chain'],
  height: number,
  { head }: Pick<ReportedHeights, 'head'>,
): number | null {
  if (!hasSecondProvider(chain)) return height
  return head === null ? null : Math.min(head, height)
}

/**
 * The newest final height, by the chain's report. Depth counts only if no node ever reported finality and no
 * node can, or if the operator configured it.
 * @param ever the highest finalized height that was recorded
 */
export function finalizedHeight(
  chain: CommitContext['chain'],
  height: number,
  deep: number | null,
  ever: number | null,
  { finalized }: ReportedHeights,
): number {
  const said = [ever, finalized].flatMap((each) => (each === null ? [] : [Math.min(each, height)]))
  const byDepth = chain.finalizedByDepth || (!chain.saysFinalized && said.length === 0)
  return Math.max(-1, ...said, byDepth && deep !== null ? deep - chain.finalizedDepth + 1 : -1)
}

/** The newest height that is final by the chain's own rule; null while unknown. */
export function confirmedHeight(
  chain: CommitContext['chain'],
  deep: number | null,
  finalized: number,
): number | null {
  if (chain.byFinalizedTag) return finalized
  return deep === null ? null : deep - chain.confirmations + 1
}
