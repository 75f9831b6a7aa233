import { cancelSession } from '../../src/sessions/cancelSession.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'

/** POST /pos/sessions/{id}/cancel */
export function cancelSessionRoute(ctx: ApiContext) {
  return async ({ params, caller, remember }: ApiRequest): Promise<Answer> => ({
    status: 200,
    body: await cancelSession(ctx, caller.businessId, params.id ?? '', (tx, view) => remember(tx, { status: 200, body: view })),
  })
}
