import type { TrialCall, TrialResult } from '../../chains/swapping.ts'
import { unsafe } from '../../swaps/checkPrice.ts'
import { coinPlaceholder } from '../../swaps/coins.ts'
import type { SwapQuestion } from '../../swaps/provider.ts'
import { allowanceHolder } from './contracts.ts'
import { takesFee } from './readQuote.ts'

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/**
 * Checks the trial run of all steps: the recipient gets the minimum, and the sender loses only what it sells.
 * @param settlers that pay the recipient
 * @param result of calls that all succeeded; its changes are those of `watchedOf`, in order
 * @throws SwapProviderError `unsafe_answer`; `token_not_supported` if the recipient gets less than a Settler
 * pays
 */
export function checkTrial(
  question: SwapQuestion,
  minBuyAmount: bigint,
  settlers: readonly string[],
  result: TrialResult,
): void {
  const { from, to, sellToken, buyToken, sellAmount } = question
  const sold = lossOf(result.calls, from, sellToken)
  if (sold === null) throw unsafe('the sender would lose something else')
  if (sold > sellAmount) throw unsafe('the sender would lose more than is sold')
  const changes = watchedOf(question).map(({ token, owner }, index) => ({
    token,
    owner,
    change: result.changes[index],
  }))
  const changeOf = (token: string, owner: string) =>
    changes.find((each) => each.token === token && each.owner === owner)?.change ?? 0n
  if (sellToken !== coinPlaceholder && changeOf(sellToken, from) < -sellAmount) {
    throw unsafe('the balance of the sender would fall by more than is sold')
  }
  const bought = buyToken === coinPlaceholder ? coinGain(result.calls, question) : changeOf(buyToken, to)
  if (bought < minBuyAmount) {
    if (buyToken !== coinPlaceholder && paidBy(settlers, result.calls, buyToken) >= minBuyAmount)
      throw takesFee()
    throw unsafe('the recipient would get less than the minimum')
  }
  const isForeign = ({ owner, spender, token }: TrialCall['approvals'][number]) =>
    owner === from && (spender !== allowanceHolder || token !== sellToken)
  if (result.calls.some(({ approvals }) => approvals.some(isForeign)))
    throw unsafe('another allowance of the sender')
}

/** Balances that a trial run compares. That of the coin follows from its movements. */
export function watchedOf({
  from,
  to,
  sellToken,
  buyToken,
}: SwapQuestion): { token: string; owner: string }[] {
  const both = [
    { token: sellToken, owner: from },
    { token: buyToken, owner: to },
  ]
  return both.filter(({ token }) => token !== coinPlaceholder)
}

/** Base units of the sold token that leave an address; null if another token does. */
function lossOf(calls: readonly TrialCall[], from: string, sellToken: string): bigint | null {
  const lost = calls.flatMap(({ movements }) =>
    movements.filter((each) => each.from === from && each.amount !== 0n),
  )
  const amounts = lost.map(({ token, amount }) => ((token ?? coinPlaceholder) === sellToken ? amount : null))
  return amounts.includes(null) ? null : sum(amounts.map((amount) => amount ?? 0n))
}

/**
 * The coin that arrives. A recipient that is a contract may pass it on; a sender that does not keep it loses
 * something else than it sells.
 */
function coinGain(calls: readonly TrialCall[], { to }: SwapQuestion): bigint {
  const arrived = calls.flatMap(({ movements }) =>
    movements.filter((each) => each.token === null && each.to === to),
  )
  return sum(arrived.map(({ amount }) => amount ?? 0n))
}

/** Base units of a token that leave the Settlers, by its logs. */
function paidBy(settlers: readonly string[], calls: readonly TrialCall[], token: string): bigint {
  const paid = calls.flatMap(({ movements }) =>
    movements.filter((each) => each.token === token && settlers.includes(each.from)),
  )
  return sum(paid.map(({ amount }) => amount ?? 0n))
}
