import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { type Shortage, type TransferIntent, type TransferPlan, TransferRefused } from '../sending.ts'
import { accountBytes, wholeOf } from './chainState.ts'
import { commitment } from './header.ts'
import { priorityPrice } from './priorityPrice.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { simulateTransfer } from './simulateTransfer.ts'
import { feeFor, type SolanaTerms, someLimit, writeTerms } from './terms.ts'
import { requireTransferable } from './transferRules.ts'
import { readTransferState, type TransferState } from './transferState.ts'

/** No transaction may take more (Solana docs, "Compute budget"). */
const maxUnits = 1_400_000
/**
 * More than a transfer takes by experience. Of SOL it is the limit itself, so that its fee is always the same and an account can be emptied
 * to the lamport; of tokens it stands for what a trial says, where the sender lacks something and nothing can be tried.
 */
const usualUnits = { native: 2_000, token: 20_000, opening: 60_000 }
/** More units than are needed, which tell transfers apart. */
const spareUnits = 500
/** A node that is so many blocks behind another one names blockhashes that are half used up. */
const maxBehind = 50

/** Whether a transfer can be made now, and on what terms: looked up and tried at one node. */
export async function planTransfer({ providers, chain }: SolanaSenderContext, intent: TransferIntent): Promise<TransferPlan> {
  const told = await providers.askAll(latestBlockhash)
  const newest = Math.max(...told.map(({ lastValidBlockHeight }) => lastValidBlockHeight))
  const planned = await providers.ask(async (rpc) => {
    try {
      return await planBy(rpc, chain, intent, newest)
    } catch (error) {
      // An answer, not a failure of the node.
      if (error instanceof TransferRefused) return error
      throw error
    }
  })
  if (planned instanceof TransferRefused) throw planned
  if (!planned) throw new ProviderError('nobody plans the transfer')
  return planned
}

/** @param newest the highest of what all nodes call the last height for a new transaction */
async function planBy(rpc: JsonRpc, chain: SolanaSenderContext['chain'], intent: TransferIntent, newest: number): Promise<TransferPlan> {
  const [latest, state] = await Promise.all([latestBlockhash(rpc), readTransferState(rpc, intent)])
  if (newest - latest.lastValidBlockHeight > maxBehind)
    throw new ProviderError(`${rpc.name} is ${newest - latest.lastValidBlockHeight} blocks behind`)
  const opensAccount = intent.token !== null && state.destination === null
  const [min, rentOfAccount, microLamports] = await Promise.all([
    rentFor(rpc, 0),
    state.mint && opensAccount ? rentFor(rpc, accountBytes(state.mint)) : 0n,
    priorityPrice(rpc, state.writable),
  ])
  requireTransferable(intent, state, min)
  const draft: SolanaTerms = {
    blockhash: latest.blockhash,
    // Never too low, whatever one node says: above this height, the transfer may be made again.
    lastValidBlockHeight: BigInt(Math.max(newest, latest.lastValidBlockHeight)),
    // A token's transfer is tried without a priority fee: that is known only afterwards.
    ...(intent.token ? { computeUnits: maxUnits, microLamports: 0n } : { computeUnits: usualUnits.native, microLamports }),
    tokenProgram: state.mint?.program ?? null,
    decimals: state.mint?.decimals ?? null,
    opensAccount,
    rent: rentOfAccount > state.prefunded ? rentOfAccount - state.prefunded : 0n,
    fee: intent.token ? feeFor(maxUnits, 0n) : feeFor(usualUnits.native, microLamports),
  }
  /** @param most units that are paid for; `fewest` of them are enough */
  const plan = (fewest: number, max: number, rent: bigint): TransferPlan => {
    const fee = feeFor(max, microLamports)
    const shortages = shortagesOf(chain, intent, state, { fee, rent, min })
    const terms = writeTerms({ ...draft, ...someLimit(fewest, max, microLamports), rent, fee })
    return { terms, fee: { expected: fee, max: fee }, besides: rent, shortages }
  }
  if (shortagesOf(chain, intent, state, { ...draft, min }).length > 0) {
    const usual = usualUnits[intent.token === null ? 'native' : opensAccount ? 'opening' : 'token']
    return plan(usual - spareUnits, usual, draft.rent)
  }
  const tried = await simulateTransfer(rpc, intent, draft, state)
  if (intent.token) return plan(tried.computeUnits, tried.computeUnits + spareUnits, tried.rent)
  const max = Math.max(tried.computeUnits, usualUnits.native)
  return plan(Math.max(tried.computeUnits, max - spareUnits), max, tried.rent)
}

interface Costs {
  fee: bigint
  rent: bigint
  /** What an account without data must hold, if it holds anything. */
  min: bigint
}

/**
 * What the sender lacks. Its account must be left with `least` or with nothing, and be so already when the fee was taken and nothing else
 * (Solana docs, "Rent": a transaction that leaves less is refused).
 */
function shortagesOf(
  chain: SolanaSenderContext['chain'],
  { token, amount }: TransferIntent,
  state: TransferState,
  { fee, rent, min }: Costs,
): Shortage[] {
  const shortages: Shortage[] = []
  const tokens = state.source?.amount ?? 0n
  if (token && tokens < amount) {
    shortages.push({ kind: 'token', symbol: token.symbol, decimals: token.decimals, required: amount, available: tokens })
  }
  const available = state.from?.lamports ?? 0n
  const leaves = token ? rent : amount
  const isHeld = (lamports: bigint) => lamports === 0n || lamports >= min
  if (!isHeld(available - fee) || !isHeld(available - fee - leaves)) {
    shortages.push({ kind: 'native', ...chain.native, required: fee + leaves + min, available })
  }
  return shortages
}

interface LatestBlockhash {
  blockhash: string
  lastValidBlockHeight: number
}

async function latestBlockhash(rpc: JsonRpc): Promise<LatestBlockhash> {
  const answered = (await rpc.call('getLatestBlockhash', [{ commitment }])) as {
    value?: { blockhash?: unknown; lastValidBlockHeight?: unknown }
  } | null
  const { blockhash, lastValidBlockHeight } = answered?.value ?? {}
  if (typeof blockhash !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(blockhash))
    throw new ProviderError(`${rpc.name} has no latest blockhash`)
  return { blockhash, lastValidBlockHeight: Number(wholeOf(rpc, 'height for a blockhash', lastValidBlockHeight)) }
}

/** Lamports that an account of so many bytes must hold (Solana docs, "getMinimumBalanceForRentExemption"). */
const rentFor = async (rpc: JsonRpc, bytes: number): Promise<bigint> =>
  wholeOf(rpc, 'rent', await rpc.call('getMinimumBalanceForRentExemption', [bytes, { commitment }]))
