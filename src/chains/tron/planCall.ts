import type { Call, CallsSpec, Flow } from '../action.ts'
import type { BlockHeader } from '../chain.ts'
import type { Rest } from '../providers/rest.ts'
import { type ActionPlan, ActionRefusedError, type Shortage } from '../sending.ts'
import { draftTerms } from './draftTerms.ts'
import { estimateFee, maxEnergy, type Prices } from './fees.ts'
import {
  readAccount,
  readResources,
  readSolidHead,
  type Simulation,
  simulateCall,
  type TronAccount,
  type TronResources,
} from './nodeApi.ts'
import type { PlanContext } from './planTransfer.ts'
import { plausibleHead } from './plausibleHead.ts'
import { soleCall } from './soleCall.ts'
import { balanceCall, readNumber } from './tokenCalls.ts'
import { signedSize } from './transferBytes.ts'

/**
 * Used if a simulation would only fail for lack of funds: that of a transfer of Tether's USDT to a new
 * holder.
 */
const typicalEnergy = 130_000n

type TokenFlow = Flow & { token: NonNullable<Flow['token']> }

/** State read at one moment from one node. */
interface Facts {
  from: TronAccount
  left: TronResources
  prices: Prices
  head: BlockHeader
  anchor: BlockHeader
  simulation: Simulation
  /** The balance of each token that the call spends. */
  held: Simulation[]
}

/** Plans a call by a trial run of it. @throws ActionRefusedError, ProviderError */
export async function planCall(ctx: PlanContext, action: CallsSpec): Promise<ActionPlan> {
  const call = soleCall(action)
  const spends = tokenSpends(action)
  const facts = await ctx.providers.ask((rest) => readFacts(ctx, rest, action.from, call, spends))
  if (!facts) throw new Error('no provider could plan the call')
  const { from, prices, left, head, anchor } = facts
  if (!from.signsAlone)
    throw new ActionRefusedError(
      'simulation_failed',
      "the sender's account needs other keys than its own to sign",
    )
  const shortages = spends.flatMap((flow, index) => shortageOf(flow, facts.held[index]))
  const energy = energyOf(facts, shortages.length > 0 || from.balance < call.value)
  const feeLimit = prices.energy * maxEnergy(energy)
  if (feeLimit > prices.maxFeeLimit)
    throw new ActionRefusedError(
      'simulation_failed',
      'the call takes more energy than a transaction may pay for',
    )
  const draft = draftTerms(head, anchor, feeLimit)
  const { expected, max, covered } = estimateFee(prices, left, {
    bytes: signedSize(action, draft),
    energy,
    opensAccount: false,
  })
  const [required, available] = [call.value + covered, from.balance]
  const isShort = available < required || !from.exists
  return {
    terms: { ...draft, fee: max.toString() },
    fee: { expected, max },
    otherCosts: 0n,
    shortages: [
      ...shortages,
      ...(isShort ? [{ kind: 'native' as const, ...ctx.chain.native, required, available }] : []),
    ],
  }
}

/** Of each owner and token, all spends together. */
function tokenSpends({ spends }: CallsSpec): TokenFlow[] {
  const flows = spends.filter((flow): flow is TokenFlow => flow.token !== null)
  const groups = Map.groupBy(flows, ({ address, token }) => `${address} ${token.contract}`)
  return [...groups.values()].flatMap((group) =>
    group
      .slice(0, 1)
      .map((flow) => ({ ...flow, amount: group.reduce((sum, { amount }) => sum + amount, 0n) })),
  )
}

async function readFacts(
  ctx: PlanContext,
  rest: Rest,
  sender: string,
  { to, data, value }: Call,
  spends: readonly TokenFlow[],
): Promise<Facts> {
  const [from, left, prices, head, solid, simulation, ...held] = await Promise.all([
    readAccount(rest, sender),
    readResources(rest, sender),
    ctx.prices(rest),
    plausibleHead(ctx, rest),
    readSolidHead(rest),
    simulateCall(rest, sender, to, data, value),
    ...spends.map(({ address, token }) => simulateCall(rest, sender, token.contract, balanceCall(address))),
  ])
  return { from, left, prices, head, anchor: solid ?? head, simulation, held }
}

/** @throws ActionRefusedError if the token returns no balance */
function shortageOf({ address, token, amount }: TokenFlow, held: Simulation | undefined): Shortage[] {
  const available = readNumber(held?.result ?? '')
  if (available === null)
    throw new ActionRefusedError(
      'simulation_failed',
      `the token ${token.symbol} returns no balance of ${address}`,
    )
  const { symbol, decimals } = token
  return available < amount ? [{ kind: 'token', symbol, decimals, required: amount, available }] : []
}

/** @throws ActionRefusedError if the simulation failed, unless for lack of funds */
function energyOf({ simulation }: Facts, hasShortage: boolean): bigint {
  if (hasShortage) return typicalEnergy
  const { failure, energy } = simulation
  if (failure)
    throw new ActionRefusedError(
      'simulation_failed',
      `the call would fail: ${failure.isMissing ? 'there is no such contract' : failure.message}`,
    )
  return energy
}
