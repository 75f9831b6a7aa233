import { splitQuery } from '../../src/platform/pages.ts'
import { listSessions } from '../../src/sessions/listSessions.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { QueryOf } from '../types.ts'

/** GET /pos/sessions */
export function listSessionsRoute(ctx: ApiContext) {
  return async ({ query, caller }: ApiRequest<unknown, QueryOf<'listSessions'>>): Promise<Answer> => {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listSessions(ctx, caller.businessId, filter, request) }
  }
}
