import { randomInt } from 'node:crypto'
import type { BlockHeader } from '../chain.ts'
import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import type { ConfiguredChain } from '../registry.ts'
import { type Shortage, type TransferIntent, type TransferPlan, TransferRefused } from '../sending.ts'
import { estimateFee, maxEnergy, type Prices } from './fees.ts'
import { readAccount, readHead, readResources, readSolidHead, type TrialRun, type TronAccount, type TronResources, tryCall } from './nodeApi.ts'
import { balanceCall, decimalsCall, readNumber, totalSupplyCall, transferCall } from './tokenCalls.ts'
import { rawTransaction, signedBytes, type TronTerms } from './transferBytes.ts'

export interface PlanContext {
  providers: Providers<Rest>
  chain: ConfiguredChain
  prices(rest: Rest): Promise<Prices>
}

/**
 * How long a transaction may wait for its block. Whoever lost track of it may sign another one only when this is over, so it is short;
 * but long enough for a key that its owner brings once: a block comes every three seconds.
 */
const lifetimeMs = 300_000

/** Energy of a transfer of Tether's USDT, where a trial run would only say that the sender lacks the token: to a holder, and to another. */
const usualEnergy = { toHolder: 65_000n, toNew: 130_000n }

const nobody = `41${'0'.repeat(40)}`

/** What the chain says of those who take part, at one moment of one node. */
interface Facts {
  from: TronAccount
  to: TronAccount
  left: TronResources
  prices: Prices
  head: BlockHeader
  /** The newest block that no fork takes back: what TAPOS refers to. */
  anchor: BlockHeader
  /** Null for TRX. */
  token: TokenFacts | null
  /** The recipient is a contract that answers as a token does. */
  isToken: boolean
}

interface TokenFacts {
  held: TrialRun
  heldByRecipient: TrialRun
  trial: TrialRun
}

/** @throws TransferRefused, ProviderError */
export async function planTransfer(ctx: PlanContext, intent: TransferIntent): Promise<TransferPlan> {
  refuseRecipient(ctx.chain, intent)
  const carried = { ...intent, amount: maxCarried(intent) }
  const facts = await ctx.providers.ask((rest) => readFacts(ctx, rest, carried))
  if (!facts) throw new Error('a node that has nothing to say')
  const { from, prices, left, head, anchor } = facts
  refuseByFacts(intent, facts)
  const lacking = tokenShortage(intent, facts)
  const energy = energyOf(intent, facts, lacking.length > 0)
  const feeLimit = prices.energy * maxEnergy(energy)
  if (feeLimit > prices.maxFeeLimit) throw new TransferRefused('simulation_failed', 'the call takes more energy than a transaction may pay for')
  const draft: TronTerms = {
    refBlockBytes: anchor.id.slice(12, 16),
    refBlockHash: anchor.id.slice(16, 32),
    ...uniqueTimes(head),
    feeLimit: feeLimit.toString(),
    fee: '0',
    besides: '0',
  }
  const opensAccount = !intent.token && !facts.to.exists
  const { expected, max, covered, besides } = estimateFee(prices, left, { bytes: sizeOf(carried, draft), energy, opensAccount })
  const required = (intent.token ? 0n : intent.amount) + covered + besides
  const available = from.balance
  return {
    terms: { ...draft, fee: max.toString(), besides: besides.toString() },
    fee: { expected, max },
    besides,
    shortages: [...lacking, ...(available < required || !from.exists ? [{ kind: 'native' as const, ...ctx.chain.native, required, available }] : [])],
  }
}

/** What is plain without a node. */
function refuseRecipient({ tokens, lookalikes }: ConfiguredChain, { from, to, token }: TransferIntent): void {
  if (to === nobody) throw new TransferRefused('recipient_not_found', 'the recipient is the zero address', 'toAddress')
  const known = [...tokens, ...lookalikes].some(({ contract }) => contract === to)
  if (known || to === token?.contract) throw new TransferRefused('recipient_is_token', "the recipient is a token's own contract", 'toAddress')
  if (!token && to === from) throw new TransferRefused('simulation_failed', 'the chain takes no transfer of TRX to oneself', 'toAddress')
}

async function readFacts(ctx: PlanContext, rest: Rest, intent: TransferIntent): Promise<Facts> {
  const { from, to, token, amount } = intent
  const call = (contract: string, data: string) => tryCall(rest, from, contract, data)
  const tokenFacts = async (contract: string): Promise<TokenFacts> => {
    const [held, heldByRecipient, trial] = await Promise.all([
      call(contract, balanceCall(from)),
      call(contract, balanceCall(to)),
      call(contract, transferCall(to, amount)),
    ])
    return { held, heldByRecipient, trial }
  }
  const [sender, recipient, left, prices, head, solid, facts] = await Promise.all([
    readAccount(rest, from),
    readAccount(rest, to),
    readResources(rest, from),
    ctx.prices(rest),
    readHead(rest, '/wallet/getnowblock'),
    readSolidHead(rest),
    token && tokenFacts(token.contract),
  ])
  const asked = recipient.isContract ? await Promise.all([call(to, decimalsCall), call(to, totalSupplyCall)]) : []
  const isToken = asked.length > 0 && asked.every(({ result }) => result !== null && readNumber(result) !== null)
  return { from: sender, to: recipient, left, prices, head, anchor: solid ?? head, token: facts, isToken }
}

function refuseByFacts({ token }: TransferIntent, { from, to, isToken }: Facts): void {
  if (isToken) throw new TransferRefused('recipient_is_token', "the recipient is a token's contract", 'toAddress')
  if (!token && to.isContract) throw new TransferRefused('simulation_failed', 'the chain takes no transfer of TRX to a contract', 'toAddress')
  if (!from.signsAlone) throw new TransferRefused('simulation_failed', "the sender's account needs other keys than its own to sign")
}

/** @throws TransferRefused where the token cannot tell what the sender holds */
function tokenShortage({ token, amount }: TransferIntent, facts: Facts): Shortage[] {
  if (!token || !facts.token) return []
  const { result, failure } = facts.token.held
  const available = readNumber(result ?? '')
  if (available === null) {
    const why = failure?.isMissing ? 'there is no such contract' : 'the token does not tell what the sender holds'
    throw new TransferRefused('simulation_failed', why, 'token')
  }
  const { symbol, decimals } = token
  return available < amount ? [{ kind: 'token', symbol, decimals, required: amount, available }] : []
}

/** @throws TransferRefused where the trial run failed, and not for want of the token */
function energyOf({ token }: TransferIntent, facts: Facts, isLacking: boolean): bigint {
  if (!token || !facts.token) return 0n
  const { trial, heldByRecipient } = facts.token
  if (isLacking) return (readNumber(heldByRecipient.result ?? '') ?? 0n) > 0n ? usualEnergy.toHolder : usualEnergy.toNew
  if (trial.failure) throw new TransferRefused('simulation_failed', `the token refuses the transfer: ${trial.failure.message}`)
  return trial.energy
}

/**
 * Two transfers that are alike in all else must not be one transaction, for the chain would carry out one of them and both would look
 * done: nobody checks `timestamp`, and the expiration need not be round.
 */
const uniqueTimes = ({ time }: BlockHeader) => {
  const now = Math.max(time.getTime(), Date.now())
  return { timestamp: now - randomInt(60_000), expiration: now + lifetimeMs + randomInt(60_000) }
}

/** Of an amount that no transaction carries, which nobody has: the most that one does. */
function maxCarried({ token, amount }: TransferIntent): bigint {
  const max = token ? 2n ** 256n - 1n : BigInt(Number.MAX_SAFE_INTEGER)
  return amount < max ? amount : max
}

/** Bytes of the signed transaction. */
const sizeOf = (intent: TransferIntent, terms: TronTerms): number => signedBytes(rawTransaction(intent, terms).raw, new Uint8Array(65)).length
