import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { type ActionPlan, ActionRefused } from '../sending.ts'
import { wholeNumber } from './chainState.ts'
import { commitment } from './header.ts'
import type { SolanaSenderContext } from './senderContext.ts'

/** In blocks. Blockhashes of a node further behind have lost much of their lifetime. */
const maxBehind = 50

/**
 * Plans at one node after another until one can.
 * @param plan `newest`: the highest last valid height that any node reports
 * @throws ActionRefused, ProviderError
 */
export async function planAtNode(
  { providers }: Pick<SolanaSenderContext, 'providers'>,
  plan: (rpc: JsonRpc, newest: number) => Promise<ActionPlan>,
): Promise<ActionPlan> {
  const reported = await providers.askAll(latestBlockhash)
  const newest = Math.max(...reported.map(({ lastValidBlockHeight }) => lastValidBlockHeight))
  const planned = await providers.ask(async (rpc) => {
    try {
      return await plan(rpc, newest)
    } catch (error) {
      // A refusal is an answer, not a failure of the node.
      if (error instanceof ActionRefused) return error
      throw error
    }
  })
  if (planned instanceof ActionRefused) throw planned
  if (!planned) throw new ProviderError('no provider could plan the transaction')
  return planned
}

/** The node's latest blockhash. @throws ProviderError if the node is far behind */
export async function recentBlockhash(rpc: JsonRpc, newest: number): Promise<{ blockhash: string; lastValidBlockHeight: bigint }> {
  const { blockhash, lastValidBlockHeight } = await latestBlockhash(rpc)
  if (newest - lastValidBlockHeight > maxBehind) throw new ProviderError(`${rpc.name} is ${newest - lastValidBlockHeight} blocks behind`)
  // Never too low because one node is behind: above this height the action may be sent again.
  return { blockhash, lastValidBlockHeight: BigInt(Math.max(newest, lastValidBlockHeight)) }
}

async function latestBlockhash(rpc: JsonRpc): Promise<{ blockhash: string; lastValidBlockHeight: number }> {
  const answered = (await rpc.call('getLatestBlockhash', [{ commitment }])) as {
    value?: { blockhash?: unknown; lastValidBlockHeight?: unknown }
  } | null
  const { blockhash, lastValidBlockHeight } = answered?.value ?? {}
  if (typeof blockhash !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(blockhash))
    throw new ProviderError(`${rpc.name} returned no latest blockhash`)
  return { blockhash, lastValidBlockHeight: Number(wholeNumber(rpc, 'height for a blockhash', lastValidBlockHeight)) }
}

/** Rent-exempt minimum in lamports of an account of this size (Solana docs, "getMinimumBalanceForRentExemption"). */
export const rentFor = async (rpc: JsonRpc, bytes: number): Promise<bigint> =>
  wholeNumber(rpc, 'rent', await rpc.call('getMinimumBalanceForRentExemption', [bytes, { commitment }]))
