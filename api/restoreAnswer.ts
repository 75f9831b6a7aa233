import type { DestinationView } from '../src/destinations/destination.ts'
import type { Answer, ShortKind } from '../src/http/request.ts'
import { monitoredAnswer, type ShortMonitored } from '../src/monitoring/monitoredAnswer.ts'
import type { PayoutView } from '../src/payouts/presentPayout.ts'
import { restoreDestination, restorePayout } from '../src/payouts/storedAnswer.ts'
import type { Db } from '../src/platform/database/db.ts'
import type { StoredAnswer } from '../src/platform/database/idempotency.ts'
import type { Secret } from '../src/platform/secrets.ts'

interface RestoreContext {
  db: Db
  appKey: Secret
}

const restorers: Record<
  ShortKind,
  (ctx: RestoreContext, businessId: string, short: unknown) => Promise<object>
> = {
  monitored_addresses: (ctx, businessId, short) =>
    monitoredAnswer(ctx.db, businessId, short as ShortMonitored),
  // The link of a refund is in its first answer only.
  refund: async (_ctx, _businessId, short) => short as object,
  payout_destination: (ctx, businessId, short) =>
    restoreDestination(ctx, businessId, short as DestinationView),
  payout: (ctx, businessId, short) => restorePayout(ctx, businessId, short as PayoutView),
}

/** Restores the stored answer of an earlier request. */
export async function restoreAnswer(
  ctx: RestoreContext,
  businessId: string,
  { status, body, kind }: StoredAnswer,
): Promise<Answer> {
  if (kind === null) return { status, body: body as object }
  const restore = restorers[kind as ShortKind]
  if (!restore) throw new Error(`a stored answer has the unknown kind ${kind}`)
  return { status, body: await restore(ctx, businessId, body) }
}
