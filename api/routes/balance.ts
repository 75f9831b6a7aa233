import { configuredChain, readHolder } from '../../src/transfers/readTransfer.ts'
import { readBalance } from '../../src/wallets/readBalance.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { BodyOf } from '../types.ts'

/** POST /crypto/wallets/balance */
export function readBalanceRoute(ctx: ApiContext) {
  return async ({ body }: ApiRequest<BodyOf<'readBalance'>>): Promise<Answer> => {
    const chain = configuredChain(ctx, body.chain)
    const address = readHolder(chain, body.address, 'address')
    return { status: 200, body: await readBalance(await ctx.accounts(chain.name), chain, address, body.tokenAddresses ?? null) }
  }
}
