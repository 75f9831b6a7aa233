import type { FinalityPolicy } from '../chains/finality.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/database/db.ts'
import { readPolicy, setPolicy } from './finalityPolicy.ts'

export interface BusinessRoutesContext {
  db: Db
  chains: readonly ConfiguredChain[]
}

/** A business's rules for finality. */
export const businessRoutes = (ctx: BusinessRoutesContext): Routes => ({
  async getFinality({ caller }) {
    const policy = await readPolicy(ctx.db, caller.businessId)
    return { status: 200, body: presentPolicy(ctx.chains, policy?.rules ?? {}) }
  },
  async setFinality({ body, caller, remember }) {
    const answer = (rules: FinalityPolicy) => ({ status: 200, body: presentPolicy(ctx.chains, rules) })
    const { rules } = await setPolicy(ctx, caller.businessId, body.rules, (tx, result) =>
      remember(tx, answer(result.after), result),
    )
    return answer(rules)
  },
})

/** Each chain's own rule, the business's choice, and the bounds of that choice. */
function presentPolicy(chains: readonly ConfiguredChain[], rules: FinalityPolicy) {
  return {
    chains: chains.map((chain) => ({
      chain: chain.name,
      finality: chain.byFinalizedTag ? 'finalized' : 'confirmations',
      confirmations: chain.byFinalizedTag ? chain.finalizedDepth : chain.confirmations,
      early: rules[chain.name]?.early ?? null,
      largeFrom: rules[chain.name]?.largeFrom ?? null,
      bounds: {
        leastConfirmations: chain.finality.minConfirmations,
        earlyUpTo: chain.finality.earlyUpTo,
        largeFrom: chain.finality.largeFrom,
      },
    })),
  }
}
