import type { TransferSpec } from '../action.ts'
import type { BlockHeader } from '../chain.ts'
import { refuseKeylessRecipient } from '../keylessAddress.ts'
import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import type { ConfiguredChain } from '../registry.ts'
import { type ActionPlan, ActionRefusedError, type Shortage } from '../sending.ts'
import { refuseTokenFee, type TokenFeeSettings } from '../tokenFee.ts'
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
import { plausibleHead } from './plausibleHead.ts'
import {
  balanceCall,
  decimalsCall,
  feeRateCall,
  maxFeeCall,
  readNumber,
  totalSupplyCall,
  transferCall,
} from './tokenCalls.ts'
import { signedSize } from './transferBytes.ts'

export interface PlanContext {
  providers: Providers<Rest>
  chain: ConfiguredChain
  prices(rest: Rest): Promise<Prices>
}

/**
 * Energy of a transfer of Tether's USDT, to a holder and to a new holder: used if a simulation would only
 * fail for lack of the token.
 */
export const typicalEnergy = { toHolder: 65_000n, toNew: 130_000n }

/** State of the parties, read at one moment from one node. */
interface Facts {
  from: TronAccount
  to: TronAccount
  left: TronResources
  prices: Prices
  head: BlockHeader
  /**
   * For TAPOS: the newest solidified block, which no fork removes; the head if the node has no solidity API.
   */
  anchor: BlockHeader
  /** Null for TRX. */
  token: TokenFacts | null
  /** The recipient is a contract that answers like a token. */
  isToken: boolean
}

interface TokenFacts {
  held: Simulation
  heldByRecipient: Simulation
  simulation: Simulation
  /** Null for a token without a fee of its own. */
  fee: TokenFeeSettings | null
}

/** @throws ActionRefusedError, ProviderError */
export async function planTransfer(ctx: PlanContext, transfer: TransferSpec): Promise<ActionPlan> {
  refuseRecipient(ctx.chain, transfer)
  const carried = { ...transfer, amount: maxCarried(transfer) }
  const facts = await ctx.providers.ask((rest) => readFacts(ctx, rest, carried))
  if (!facts) throw new Error('no provider could plan the transfer')
  const { from, prices, left, head, anchor } = facts
  refuseByFacts(transfer, facts)
  if (transfer.token && facts.token) refuseTokenFee(transfer.token, transfer.amount, facts.token.fee)
  const shortages = tokenShortages(transfer, facts)
  const energy = energyOf(transfer, facts, shortages.length > 0)
  const feeLimit = prices.energy * maxEnergy(energy)
  if (feeLimit > prices.maxFeeLimit)
    throw new ActionRefusedError(
      'simulation_failed',
      'the call takes more energy than a transaction may pay for',
    )
  const draft = draftTerms(head, anchor, feeLimit)
  const opensAccount = !transfer.token && !facts.to.exists
  const { expected, max, covered, otherCosts } = estimateFee(prices, left, {
    bytes: signedSize(carried, draft),
    energy,
    opensAccount,
  })
  const required = (transfer.token ? 0n : transfer.amount) + covered + otherCosts
  const available = from.balance
  return {
    terms: { ...draft, fee: max.toString(), besides: otherCosts.toString() },
    fee: { expected, max },
    otherCosts,
    shortages: [
      ...shortages,
      ...(available < required || !from.exists
        ? [{ kind: 'native' as const, ...ctx.chain.native, required, available }]
        : []),
    ],
  }
}

/** Checks that need no node. @throws ActionRefusedError */
function refuseRecipient({ tokens, lookalikes }: ConfiguredChain, { from, to, token }: TransferSpec): void {
  const known = [...tokens, ...lookalikes].some(({ contract }) => contract === to)
  if (known || to === token?.contract)
    throw new ActionRefusedError('recipient_is_token', "the recipient is a token's own contract", 'toAddress')
  refuseKeylessRecipient('tron', to)
  if (!token && to === from)
    throw new ActionRefusedError(
      'simulation_failed',
      'the chain refuses a transfer of TRX to the sender itself',
      'toAddress',
    )
}

async function readFacts(ctx: PlanContext, rest: Rest, transfer: TransferSpec): Promise<Facts> {
  const { from, to, token, amount } = transfer
  const call = (contract: string, data: string) => simulateCall(rest, from, contract, data)
  const tokenFacts = async (contract: string): Promise<TokenFacts> => {
    const [held, heldByRecipient, simulation, rate, max] = await Promise.all([
      call(contract, balanceCall(from)),
      call(contract, balanceCall(to)),
      call(contract, transferCall(to, amount)),
      call(contract, feeRateCall),
      call(contract, maxFeeCall),
    ])
    return { held, heldByRecipient, simulation, fee: feeSettings(rate, max) }
  }
  const [sender, recipient, left, prices, head, solid, facts] = await Promise.all([
    readAccount(rest, from),
    readAccount(rest, to),
    readResources(rest, from),
    ctx.prices(rest),
    plausibleHead(ctx, rest),
    readSolidHead(rest),
    token && tokenFacts(token.contract),
  ])
  const asked = recipient.isContract
    ? await Promise.all([call(to, decimalsCall), call(to, totalSupplyCall)])
    : []
  const isToken =
    asked.length > 0 && asked.every(({ result }) => result !== null && readNumber(result) !== null)
  return { from: sender, to: recipient, left, prices, head, anchor: solid ?? head, token: facts, isToken }
}

function feeSettings(rate: Simulation, max: Simulation): TokenFeeSettings | null {
  const [read, limit] = [readNumber(rate.result ?? ''), readNumber(max.result ?? '')]
  return read === null || limit === null ? null : { rate: read, max: limit }
}

function refuseByFacts({ token }: TransferSpec, { from, to, isToken }: Facts): void {
  if (isToken)
    throw new ActionRefusedError('recipient_is_token', "the recipient is a token's contract", 'toAddress')
  if (!token && to.isContract)
    throw new ActionRefusedError(
      'simulation_failed',
      'the chain refuses a transfer of TRX to a contract',
      'toAddress',
    )
  if (!from.signsAlone)
    throw new ActionRefusedError(
      'simulation_failed',
      "the sender's account needs other keys than its own to sign",
    )
}

/** @throws ActionRefusedError if the token returns no balance of the sender */
function tokenShortages({ token, amount }: TransferSpec, facts: Facts): Shortage[] {
  if (!token || !facts.token) return []
  const { result, failure } = facts.token.held
  const available = readNumber(result ?? '')
  if (available === null) {
    const why = failure?.isMissing
      ? 'there is no such contract'
      : 'the token returns no balance of the sender'
    throw new ActionRefusedError('simulation_failed', why, 'token')
  }
  const { symbol, decimals } = token
  return available < amount ? [{ kind: 'token', symbol, decimals, required: amount, available }] : []
}

/** @throws ActionRefusedError if the simulation failed, unless for lack of the token */
function energyOf({ token }: TransferSpec, facts: Facts, hasShortage: boolean): bigint {
  if (!token || !facts.token) return 0n
  const { simulation, heldByRecipient } = facts.token
  if (hasShortage)
    return (readNumber(heldByRecipient.result ?? '') ?? 0n) > 0n
      ? typicalEnergy.toHolder
      : typicalEnergy.toNew
  if (simulation.failure)
    throw new ActionRefusedError(
      'simulation_failed',
      `the token refuses the transfer: ${simulation.failure.message}`,
    )
  return simulation.energy
}

/**
 * Caps the amount at what a transaction can carry. No account holds more, so the plan still has a shortage.
 */
function maxCarried({ token, amount }: TransferSpec): bigint {
  const max = token ? 2n ** 256n - 1n : BigInt(Number.MAX_SAFE_INTEGER)
  return amount < max ? amount : max
}
