import { readPolicy, setPolicy } from '../../src/businesses/finalityPolicy.ts'
import type { FinalityPolicy } from '../../src/chains/finality.ts'
import type { ConfiguredChain } from '../../src/chains/registry.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { BodyOf } from '../types.ts'

/** GET /settings/finality: each chain's own rule, the business's choice, and the bounds of that choice. */
export function getFinalityRoute(ctx: ApiContext) {
  return async ({ caller }: ApiRequest): Promise<Answer> => {
    const policy = await readPolicy(ctx.db, caller.businessId)
    return { status: 200, body: view(ctx.chains, policy?.rules ?? {}) }
  }
}

/** PUT /settings/finality: replaces all choices. */
export function setFinalityRoute(ctx: ApiContext) {
  return async ({ body, caller, remember }: ApiRequest<BodyOf<'setFinality'>>): Promise<Answer> => {
    const answer = (rules: FinalityPolicy) => ({ status: 200, body: view(ctx.chains, rules) })
    const { rules } = await setPolicy(ctx, caller.businessId, body.rules, (tx, before, after) => remember(tx, answer(after), { before, after }))
    return answer(rules)
  }
}

function view(chains: readonly ConfiguredChain[], rules: FinalityPolicy) {
  return {
    chains: chains.map((chain) => ({
      chain: chain.name,
      finality: chain.byFinalizedTag ? 'finalized' : 'confirmations',
      confirmations: chain.byFinalizedTag ? chain.finalizedDepth : chain.confirmations,
      early: rules[chain.name]?.early ?? null,
      largeFrom: rules[chain.name]?.largeFrom ?? null,
      bounds: { leastConfirmations: chain.finality.minConfirmations, earlyUpTo: chain.finality.earlyUpTo, largeFrom: chain.finality.largeFrom },
    })),
  }
}
