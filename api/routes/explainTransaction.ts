import { explainTransaction } from '../../src/sessions/explainTransaction.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'

/** GET /chains/{chain}/transactions/{txId}/explain */
export function explainTransactionRoute(ctx: ApiContext) {
  return async ({ params, caller }: ApiRequest): Promise<Answer> => ({
    status: 200,
    body: await explainTransaction(ctx, caller.businessId, params.chain ?? '', params.txId ?? ''),
  })
}
