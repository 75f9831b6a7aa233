import { unsafe } from '../../swaps/checkPrice.ts'
import type { PriceAnswer, SwapQuestion } from '../../swaps/provider.ts'
import type { BuiltInstruction } from './build.ts'
import { eventAuthority, jupiterProgram } from './programs.ts'
import { type Route, readRoute } from './readRoute.ts'
import type { SwapAccounts } from './swapAccounts.ts'

/**
 * Checks that the swap is one of Jupiter's program, of this question, without fees for others, and that the
 * sender alone signs. The program itself enforces the minimum of these arguments.
 * @throws SwapProviderError `unsafe_answer`
 */
export function checkRoute(
  question: SwapQuestion,
  accounts: SwapAccounts,
  price: PriceAnswer,
  swap: BuiltInstruction,
): void {
  const { from } = question
  if (swap.programId !== jupiterProgram) throw unsafe('the program')
  if (swap.accounts.some(({ pubkey, isSigner }) => isSigner && pubkey !== from))
    throw unsafe('a second signer')
  const route = readRoute(swap)
  if (route.program !== jupiterProgram || route.eventAuthority !== eventAuthority)
    throw unsafe('the accounts of the program')
  if (route.inAmount !== question.sellAmount) throw unsafe('the amount of the swap')
  if (route.quotedOutAmount !== price.buyAmount) throw unsafe('the quote of the swap')
  if (route.slippageBps !== question.slippageBps) throw unsafe('the slippage of the swap')
  if (route.platformFeeBps !== 0 || route.positiveSlippageBps !== 0) throw unsafe('a platform fee')
  checkAccounts(accounts, route)
}

function checkAccounts({ from, to, sell, buy, wrapped }: SwapAccounts, route: Route): void {
  if (route.user !== from) throw unsafe('the account that pays')
  if (route.source !== (sell.account ?? wrapped)) throw unsafe('the account that is sold from')
  if (route.sourceMint !== sell.mint || route.sourceProgram !== sell.program)
    throw unsafe('the sold token of the swap')
  if (route.destinationMint !== buy.mint || route.destinationProgram !== buy.program)
    throw unsafe('the bought token of the swap')
  // SOL for the sender arrives wrapped, and is unwrapped; for another wallet it is the coin itself.
  const own = buy.account ?? wrapped
  const target = to !== from && buy.account === null ? to : own
  const { destination, furtherDestination } = route
  const isNone = furtherDestination === null || furtherDestination === jupiterProgram
  const isRight = isNone
    ? destination === target
    : furtherDestination === target && (destination === target || destination === wrapped)
  if (!isRight) throw unsafe('the recipient')
}
