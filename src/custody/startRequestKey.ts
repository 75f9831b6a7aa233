import type { ApiStart } from '../capability.ts'
import { messageOf } from '../platform/errors.ts'
import type { BroughtContext } from '../routeContext.ts'
import { createRequestKey } from './requestKey.ts'

/** The key of hashed `Idempotency-Key`s, created before the first request. A request that needs it tries again. */
export async function startRequestKey(ctx: ApiStart): Promise<Pick<BroughtContext, 'requestKey'>> {
  const requestKey = createRequestKey(ctx)
  await requestKey().catch((error) =>
    ctx.log.error({ err: messageOf(error) }, 'requests with an Idempotency-Key cannot be answered'),
  )
  return { requestKey }
}
