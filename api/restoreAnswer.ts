import { monitoredAnswer, type ShortMonitored } from '../src/monitoring/monitoredAnswer.ts'
import type { Db } from '../src/platform/db.ts'
import type { StoredAnswer } from '../src/platform/idempotency.ts'
import type { Answer, ShortKind } from './context.ts'

const restorers: Record<ShortKind, (ctx: { db: Db }, businessId: string, short: unknown) => Promise<object>> = {
  monitored_addresses: (ctx, businessId, short) => monitoredAnswer(ctx.db, businessId, short as ShortMonitored),
}

/** The answer that a request had before. */
export async function restoreAnswer(ctx: { db: Db }, businessId: string, { status, body, kind }: StoredAnswer): Promise<Answer> {
  if (kind === null) return { status, body: body as object }
  const restore = restorers[kind as ShortKind]
  if (!restore) throw new Error(`an answer is stored as ${kind}, which nothing restores`)
  return { status, body: await restore(ctx, businessId, body) }
}
