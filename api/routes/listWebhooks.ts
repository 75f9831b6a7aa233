import { splitQuery } from '../../src/platform/pages.ts'
import { listDeliveries } from '../../src/webhooks/listDeliveries.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { QueryOf } from '../types.ts'

/** GET /webhooks */
export function listWebhooksRoute(ctx: ApiContext) {
  return async ({ query, caller }: ApiRequest<unknown, QueryOf<'listWebhooks'>>): Promise<Answer> => {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listDeliveries(ctx, caller.businessId, filter, request) }
  }
}
