import type { Answer, ShortKind } from '../src/http/request.ts'
import { monitoredAnswer, type ShortMonitored } from '../src/monitoring/monitoredAnswer.ts'
import type { Db } from '../src/platform/db.ts'
import type { StoredAnswer } from '../src/platform/idempotency.ts'

const restorers: Record<ShortKind, (ctx: { db: Db }, businessId: string, short: unknown) => Promise<object>> = {
  monitored_addresses: (ctx, businessId, short) => monitoredAnswer(ctx.db, businessId, short as ShortMonitored),
}

/** Restores the stored answer of an earlier request. */
export async function restoreAnswer(ctx: { db: Db }, businessId: string, { status, body, kind }: StoredAnswer): Promise<Answer> {
  if (kind === null) return { status, body: body as object }
  const restore = restorers[kind as ShortKind]
  if (!restore) throw new Error(`a stored answer has the unknown kind ${kind}`)
  return { status, body: await restore(ctx, businessId, body) }
}
