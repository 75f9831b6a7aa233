import type { CallsSpec } from '../chains/action.ts'
import { finality } from '../chains/bridging.ts'
import type { ChainAccounts } from '../chains/chainAccounts.ts'
import { type ActionPlan, ActionRefusedError } from '../chains/sending.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { formatUnits } from '../money/amount.ts'
import { ApiError } from '../platform/errors.ts'
import { asApiError } from '../transfers/planTransfer.ts'
import type { SendingChain } from '../txmgr/context.ts'
import { AttestationsError } from './attestations.ts'
import { type FeeProblem, type FeeQuote, quoteFee } from './quoteFee.ts'
import type { WantedBridge } from './readBridgeRequest.ts'
import { type RequestCircleContext, requestCircle } from './requestCircle.ts'

export interface QuoteContext extends RequestCircleContext {
  accounts(chain: string): Promise<Pick<ChainAccounts, 'balances' | 'bridge'>>
  txmgr: { sendingChain(name: string): Promise<SendingChain> }
}

export interface BridgeQuote extends FeeQuote {
  fastAvailable: boolean
}

/** A request waits so long for its turn at Circle. */
const maxWaitMs = 2000

const problems: Record<FeeProblem, string> = {
  fast_not_available: 'Circle has no fast transfers on this route',
  automatic_not_available: 'Circle does not mint by itself on this route',
}

const refused = (error: string, field: string, message: string) =>
  new ApiError(422, error, `${field}: ${message}`, { fields: [{ field, message }] })

/**
 * What a transfer costs at Circle, and whether its bridge takes the amount.
 * @throws ApiError 422 `recipient_blocked`, `fast_not_available`, `automatic_not_available`,
 * `amount_too_large`, `amount_too_small`,
 *   `fee_too_high`; 503 `partner_unavailable`, `chain_unavailable`
 */
export async function quoteBridge(ctx: QuoteContext, wanted: WantedBridge): Promise<BridgeQuote> {
  const { source, destination, amount, automatic, speed, maxFee } = wanted
  const { decimals } = source.token
  const show = (units: bigint) => `${formatUnits(units, decimals)} USDC`
  const { minFee, limit } = await askContract(ctx, wanted)
  if (await isBlocked(ctx, wanted))
    throw refused(
      'recipient_blocked',
      'destinationAddress',
      `Circle keeps this address from receiving USDC on ${destination.chain.name}`,
    )
  if (amount > limit)
    throw refused('amount_too_large', 'amount', `one burn on ${source.chain.name} is at most ${show(limit)}`)
  const fees = await requestCircle(ctx, maxWaitMs, (circle) =>
    circle.fees(source.cctp.domain, destination.cctp.domain, automatic),
  ).catch((error) => {
    if (!(error instanceof AttestationsError)) throw error
    const more = { retryAfterSeconds: error.retryAfterSeconds ?? 5, cause: error }
    throw new ApiError(503, 'partner_unavailable', 'Circle cannot be asked right now; send it again', more)
  })
  const quote = quoteFee(fees, { amount, speed, automatic, minFee })
  if (typeof quote === 'string')
    throw refused(quote, quote === 'fast_not_available' ? 'speed' : 'automatic', problems[quote])
  if (quote.maxFee >= amount)
    throw refused('amount_too_small', 'amount', `the fee may be ${show(quote.maxFee)}, which leaves nothing`)
  if (maxFee !== null && quote.maxFee > maxFee)
    throw refused('fee_too_high', 'maxFee', `Circle may keep ${show(quote.maxFee)}`)
  return { ...quote, fastAvailable: fees.some((each) => each.finality === finality.fast) }
}

async function askContract(
  ctx: QuoteContext,
  { source, amount }: WantedBridge,
): Promise<{ minFee: bigint; limit: bigint }> {
  const { name } = source.chain
  try {
    const { bridge } = await ctx.accounts(name)
    if (!bridge) throw new Error(`${name} has no reader of the bridge`)
    const [minFee, limit] = await Promise.all([bridge.minFee(amount), bridge.burnLimit(source.token)])
    return { minFee, limit }
  } catch (error) {
    throw asUnavailable(name, error)
  }
}

/** Read before the burn: a mint to a blocked address would fail for ever. */
async function isBlocked(
  ctx: QuoteContext,
  { destination: { chain, token }, destinationAddress }: WantedBridge,
): Promise<boolean> {
  try {
    const { bridge } = await ctx.accounts(chain.name)
    return (await bridge?.isBlocked?.(token, destinationAddress)) ?? false
  } catch (error) {
    throw asUnavailable(chain.name, error)
  }
}

/** FiatToken of Circle: `ERC20: transfer amount exceeds allowance`. Some nodes name no reason. */
const lacksAllowance = /allowance|: (?:execution )?reverted?\.?$/i

/**
 * Gas of a burn where it cannot be estimated yet, because it needs the allowance before it: about twice that
 * of an approval.
 */
const burnsOfApproval = 4n

/**
 * Plans what the wallet sends. A burn that needs an allowance cannot be tried before it: its cost is
 * estimated by that of the allowance.
 * @throws ApiError 422 with the reason why not; 503 `chain_unavailable`
 */
export async function planBridge(
  ctx: QuoteContext,
  chain: string,
  calls: { approval: CallsSpec | null; burn: CallsSpec },
): Promise<ActionPlan> {
  const { sender } = await ctx.txmgr.sendingChain(chain)
  const plan = (action: CallsSpec) =>
    sender.plan(action).catch((error) => {
      throw asApiError(chain, error)
    })
  if (calls.approval === null) return plan(calls.burn)
  const [approval, burn] = await Promise.all([
    plan(calls.approval),
    // Of interest are its shortages, and why it would fail but for the allowance: a paused or frozen token.
    sender.plan(calls.burn).catch((error) => {
      if (
        error instanceof ActionRefusedError &&
        error.reason === 'simulation_failed' &&
        lacksAllowance.test(error.message)
      )
        return null
      throw asApiError(chain, error)
    }),
  ])
  const { fee } = approval
  return {
    ...approval,
    fee: { expected: fee.expected * (1n + burnsOfApproval), max: fee.max * (1n + burnsOfApproval) },
    shortages: [...(burn?.shortages.filter(({ kind }) => kind === 'token') ?? []), ...approval.shortages],
  }
}
