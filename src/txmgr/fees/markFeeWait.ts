import type { TxManagerContext } from '../context.ts'
import type { Intent } from '../intents.ts'

/** Checks if an intent has waited for a lower fee for as long as it may. */
export const feeWaitIsOver = (
  { feeWaitMs }: Pick<TxManagerContext, 'feeWaitMs'>,
  { feeWaitForMs }: Pick<Intent, 'feeWaitForMs'>,
): boolean => feeWaitForMs !== null && feeWaitForMs >= feeWaitMs

/** Marks an intent as waiting for a lower fee, unless another process has overtaken this one. */
export async function startFeeWait(ctx: TxManagerContext, row: Intent, why: string): Promise<void> {
  if (row.feeWaitForMs !== null) return
  const begun = await ctx.db.query(
    'update intents set fee_waits_since = coalesce(fee_waits_since, now()) where id = $1 and reconciles = $2 and next_reconcile_at is not null returning id',
    [row.id, row.reconciles],
  )
  if (begun.length > 0) reportFeeWait(ctx, row, why)
}

export function reportFeeWait(
  { log, observe }: Pick<TxManagerContext, 'log' | 'observe'>,
  { id, chain }: Intent,
  why: string,
): void {
  observe('fee_wait', chain)
  log.warn({ intent: id, chain, why }, 'an intent waits for a lower fee')
}

export async function endFeeWait(
  { db }: Pick<TxManagerContext, 'db'>,
  { id, reconciles, feeWaitForMs }: Intent,
): Promise<void> {
  if (feeWaitForMs !== null)
    await db.query('update intents set fee_waits_since = null where id = $1 and reconciles = $2', [
      id,
      reconciles,
    ])
}
