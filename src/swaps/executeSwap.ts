import type { ChainAccounts } from '../chains/chainAccounts.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import type { Queryable } from '../platform/database/db.ts'
import { ApiError, messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { asApiError } from '../transfers/planTransfer.ts'
import type { Intent } from '../txmgr/intents.ts'
import { requireNotPaused } from '../txmgr/pause.ts'
import { type KeySendingContext, type PreparedSteps, sendStepsWithKey } from '../txmgr/sendNow.ts'
import { type KeyFailpoints, PlanExpiredError } from '../txmgr/signNow.ts'
import { belowMinimum, buysNothing } from './errors.ts'
import { prepareSwap } from './prepareSwap.ts'
import { presentSwap, type SwapView } from './presentSwap.ts'
import type { PreparedSwap } from './provider.ts'
import { readAmount } from './readAmount.ts'
import { type DecimalsContext, readDecimals } from './readDecimals.ts'
import type { WantedExecution } from './readExecution.ts'
import type { ProviderRequestContext } from './requestProvider.ts'
import { requireHeld, type Sides } from './requireHeld.ts'
import { insertSwap, type StoredSwap, type SwapFacts } from './storedSwap.ts'

export interface ExecutionContext extends ProviderRequestContext, Pick<DecimalsContext, 'decimals'> {
  chains: readonly ConfiguredChain[]
  accounts(chain: string): Promise<ChainAccounts>
  txmgr: KeySendingContext
}

const points: KeyFailpoints = {
  claimed: 'api.swap-claimed',
  signed: 'api.swap-signed',
  sent: 'api.swap-sent',
  recorded: 'api.swap-recorded',
  next: 'api.swap-next',
  resigned: 'api.swap-resigned',
}

/** An older quote is not signed. */
const maxQuoteMs = 15_000

/**
 * Swaps with a key from the request. All of its transactions are signed and stored before the first is sent;
 * from then on a worker can finish the swap.
 * @param also runs in the transaction that stores them; again on its own, without one, with the swap as it is
 * answered
 * @throws ApiError 400 naming the field, 422 with the reason why nothing was sent; 503
 */
export async function executeSwap(
  ctx: ExecutionContext,
  wanted: WantedExecution & { amount: string; minBuyAmount?: string; businessId: string },
  also: (db: Queryable, result: SwapView) => Promise<void>,
): Promise<SwapView> {
  const { chain, from } = wanted
  await requireNotPaused(ctx.db, chain.name)
  const [sellDecimals = 0, buyDecimals = 0] = await readDecimals(ctx, chain, [wanted.sell, wanted.buy])
  const sellAmount = readAmount(chain, wanted.amount, sellDecimals)
  const minimum =
    wanted.minBuyAmount === undefined
      ? 1n
      : readAmount(chain, wanted.minBuyAmount, buyDecimals, 'minBuyAmount')
  const accounts = await ctx.accounts(chain.name).catch((error) => {
    throw asUnavailable(chain.name, error)
  })
  const sides = await requireHeld(accounts, wanted, { sellAmount, sellDecimals, buyDecimals })
  const sending = await ctx.txmgr.sendingChain(chain.name)

  let facts: Omit<SwapFacts, 'id' | 'approvals'> | undefined
  const prepare = async (): Promise<PreparedSteps> => {
    const prepared = await prepareSwap(ctx, wanted, sides, accounts.swapping)
    requireMinimum(prepared, minimum)
    facts = factsOf(wanted, sides, prepared)
    failpoint('api.swap-prepared')
    const isInTime = () => Date.now() - prepared.askedAt.getTime() <= maxQuoteMs
    return { steps: stepsOf(wanted, prepared), signing: { key: wanted.key, isInTime, points } }
  }
  const swapOf = (rows: readonly Intent[]): StoredSwap => {
    const intent = rows.at(-1)
    if (!intent || !facts) throw new Error('nothing was signed')
    const approvals = rows.slice(0, -1)
    return {
      facts: { ...facts, id: intent.id, approvals: approvals.map(({ id }) => id) },
      intent,
      approvals,
      isTaken: false,
    }
  }
  const sent = await sendStepsWithKey(ctx.txmgr, sending, from, prepare, async (tx, rows) => {
    const stored = swapOf(rows)
    await insertSwap(tx, stored.facts)
    await also(tx, presentSwap(stored))
  }).catch((error) => {
    throw error instanceof PlanExpiredError ? tooLate() : asApiError(chain.name, error)
  })
  return answer(ctx, presentSwap(swapOf(sent)), also)
}

/**
 * @throws ApiError 422 `no_liquidity` if the chain would enforce nothing; `price_moved` if less than the
 * caller demands
 */
function requireMinimum({ minBuyAmount }: PreparedSwap, minimum: bigint): void {
  if (minBuyAmount < 1n) throw buysNothing()
  if (minBuyAmount < minimum) throw belowMinimum()
}

/** Answers with a stored swap. Does not fail: after an error the caller might swap again. */
async function answer(
  ctx: ExecutionContext,
  view: SwapView,
  also: (db: Queryable, result: SwapView) => Promise<void>,
): Promise<SwapView> {
  await also(ctx.db, view).catch((error) => {
    const about = { intent: view.id, chain: view.chain, err: messageOf(error) }
    ctx.log.error(about, 'the answer to a stored swap could not be stored for repetitions')
  })
  return view
}

const tooLate = () =>
  new ApiError(503, 'unavailable', 'The quote was too old before it could be signed; send it again', {
    retryAfterSeconds: 1,
  })

function factsOf(
  { businessId, provider, to, slippageBps }: WantedExecution & { businessId: string },
  { sell, buy }: Sides,
  { price, minBuyAmount, rent }: PreparedSwap,
): Omit<SwapFacts, 'id' | 'approvals'> {
  return {
    businessId,
    provider: provider.name,
    to,
    sell,
    buy: { ...buy, amount: price.buyAmount },
    minBuyAmount,
    slippageBps,
    rent,
  }
}

const stepsOf = (
  { businessId, chain }: { businessId: string; chain: ConfiguredChain },
  { steps }: PreparedSwap,
): PreparedSteps['steps'] =>
  steps.map(({ purpose, action, plan }) => ({
    plan,
    wanted: {
      businessId,
      purpose,
      chain: chain.name,
      signer: 'caller',
      walletId: null,
      action,
      symbol: null,
      decimals: null,
    },
  }))
