import type { Request } from 'express'
import { openAdditionsSql } from '../../src/monitoring/additions.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { messageOf } from '../../src/platform/errors.ts'
import type { Log } from '../../src/platform/telemetry/log.ts'
import { type BulkCall, startBulkCall } from '../../src/rateLimits/bulkCalls.ts'

const calls = new WeakMap<Request, BulkCall>()

/** Registers the bulk call of a request. @throws ApiError 429 `too_many_bulk_calls` */
export async function startBulk(
  ctx: { db: Db; bulkCallsAtOnce: number },
  request: Request,
  businessId: string,
): Promise<void> {
  calls.set(
    request,
    await startBulkCall(ctx, businessId, { atOnce: ctx.bulkCallsAtOnce, queuedSql: openAdditionsSql }),
  )
}

export const bulkCallOf = (request: Request): BulkCall | undefined => calls.get(request)

/** Ends the request's bulk call, if it has one. If this fails, its lease runs out. */
export async function endBulk(ctx: { log: Log }, request: Request): Promise<void> {
  const call = calls.get(request)
  calls.delete(request)
  await call
    ?.end()
    .catch((cause) =>
      ctx.log.warn({ err: messageOf(cause) }, 'failed to end a bulk call; its lease will run out'),
    )
}
