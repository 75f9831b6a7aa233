import { getSession } from '../../src/sessions/getSession.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'

/** GET /pos/sessions/{id} */
export function getSessionRoute(ctx: ApiContext) {
  return async ({ params, caller }: ApiRequest): Promise<Answer> => ({ status: 200, body: await getSession(ctx, caller.businessId, params.id ?? '') })
}
