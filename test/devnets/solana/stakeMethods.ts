import { slotOf } from './faces.ts'
import { addressOf, commitmentOf, configOf, inContext, type Method } from './params.ts'
import { voteAccounts } from './validators.ts'

/**
 * The minimum of the engine's stake program, in lamports; a test compares it with the program's
 * `GetMinimumDelegation`.
 */
const minDelegation = 1_000_000_000

export const stakeMethods: Record<string, Method> = {
  getStakeMinimumDelegation: (view, params) => inContext(view, configOf(params, 0), minDelegation),

  /** Every vote account here has stake, so that `keepUnstakedDelinquents` changes nothing. */
  getVoteAccounts: (view, params) => {
    const config = configOf<{ votePubkey?: string }>(params, 0)
    const only = config.votePubkey === undefined ? null : addressOf(config.votePubkey)
    const all = voteAccounts(view.ledger, slotOf(view, commitmentOf(config))).filter(
      ({ account }) => only === null || account.votePubkey === only,
    )
    const listed = (votes: boolean) =>
      all.filter((each) => each.votes === votes).map(({ account }) => account)
    return { current: listed(true), delinquent: listed(false) }
  },
}
