import { unsafe } from '../../swaps/checkPrice.ts'
import { coinPlaceholder } from '../../swaps/coins.ts'
import type { SwapQuestion } from '../../swaps/provider.ts'
import { allowanceHolder } from './contracts.ts'
import { decodeTransaction } from './decodeTransaction.ts'
import type { ZeroXQuote } from './readQuote.ts'

/** Tokens that AllowanceHolder cannot take: 0x names one of them where the coin is sold. */
const noTokens = [coinPlaceholder, '0x0000000000000000000000000000000000000000']

/**
 * Checks that the transaction of a quote can take no more than is sold, and must bring the minimum to the
 * recipient.
 * @param minBuyAmount our own minimum
 * @returns the contracts that it trusts: all of them must be Settlers
 * @throws SwapProviderError `unsafe_answer`
 */
export function checkTransaction(question: SwapQuestion, minBuyAmount: bigint, quote: ZeroXQuote): string[] {
  const { transaction, allowanceTarget, spender } = quote
  const sellsCoin = question.sellToken === coinPlaceholder
  if (!isHolder(allowanceTarget, sellsCoin)) throw unsafe('the target of the allowance')
  if (!isHolder(spender, true)) throw unsafe('the spender')
  if (!sellsCoin && transaction.to !== allowanceHolder) throw unsafe('the contract that is called')
  if (transaction.value !== (sellsCoin ? question.sellAmount : 0n)) throw unsafe('the value')
  const decoded = decodeTransaction(transaction)
  if (decoded === null) throw unsafe('the call is not one of its protocol')
  const { allowed, settler, recipient, buyToken, minAmountOut } = decoded
  if (recipient !== question.to) throw unsafe('the recipient')
  if (buyToken !== question.buyToken) throw unsafe('the token that is paid')
  if (minAmountOut < minBuyAmount) throw unsafe('the minimum that is enforced')
  if (allowed === null) return [settler]
  if (sellsCoin && !noTokens.includes(allowed.token)) throw unsafe('a token as well as the coin')
  if (!sellsCoin && allowed.token !== question.sellToken) throw unsafe('the token that is taken')
  if (!sellsCoin && allowed.amount !== question.sellAmount) throw unsafe('the amount that is taken')
  return [settler, allowed.operator]
}

const isHolder = (address: string | null, mayLack: boolean): boolean =>
  address === allowanceHolder || (mayLack && address === null)
