import { ProviderError } from '../../chain.ts'
import { highestConfirmed } from '../../providers/highestHead.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { ActionRefusedError } from '../../sending.ts'
import { UnsafeTrialError } from '../../solanaSwapping.ts'
import { wholeNumber } from '../chainState.ts'
import { getBlock, requireBlock } from '../read/getBlock.ts'
import { commitment } from '../read/header.ts'
import type { RpcBlock } from '../rpcTypes.ts'
import type { SolanaSenderContext } from './senderContext.ts'

/** In blocks. Blockhashes of a node further behind have lost much of their lifetime. */
const maxBehind = 50
/**
 * A blockhash is valid for this many blocks after its own (Solana docs, "Transaction confirmation and
 * expiration").
 */
const maxAge = 150
/**
 * Slots below the newest one in which a block must be: more are skipped only while the chain stands still.
 */
const recentSlots = 300

/**
 * Plans at one node after another until one can.
 * @param plan `newest`: the highest last valid height that the nodes confirm
 * @throws ActionRefusedError, UnsafeTrialError, ProviderError
 */
export async function planAtNode<Plan extends object>(
  { providers }: Pick<SolanaSenderContext, 'providers'>,
  plan: (rpc: JsonRpc, newest: number) => Promise<Plan>,
): Promise<Plan> {
  const reported = await providers.askAll(async (rpc) => {
    const latest = await latestBlockhash(rpc)
    const time = await requirePlausible(providers, rpc, latest)
    return { source: rpc.name, height: latest.lastValidBlockHeight, time }
  })
  const { height: newest } = highestConfirmed(providers, reported, maxBehind)
  const planned = await providers.ask(async (rpc) => {
    try {
      return await plan(rpc, newest)
    } catch (error) {
      // A refusal is an answer, not a failure of the node.
      if (error instanceof ActionRefusedError || error instanceof UnsafeTrialError) return error
      throw error
    }
  })
  if (planned instanceof ActionRefusedError || planned instanceof UnsafeTrialError) throw planned
  if (!planned) throw new ProviderError('no provider could plan the transaction')
  return planned
}

/**
 * One node's height must not set the time limit for all: until it, a lost transaction stays open. The height
 * of a block bounds it, and each block takes a slot.
 * @returns the time of that block
 * @throws ProviderError, and doubts the node
 */
async function requirePlausible(
  providers: Pick<SolanaSenderContext['providers'], 'doubt'>,
  rpc: JsonRpc,
  { slot, lastValidBlockHeight }: LatestBlockhash,
): Promise<Date> {
  const slots = await rpc.call('getBlocks', [Math.max(0, slot - recentSlots), slot, { commitment }])
  const newest = Array.isArray(slots) ? Number(wholeNumber(rpc, 'slots of blocks', slots.at(-1))) : slot
  const block = requireBlock(
    rpc,
    newest,
    await getBlock<RpcBlock & { blockHeight?: unknown }>(rpc, newest, 'none'),
  )
  const height = Number(wholeNumber(rpc, 'block height', block.blockHeight))
  // At most one block for each slot since.
  if (newest <= slot && height <= newest && lastValidBlockHeight <= height + (slot - newest) + maxAge)
    return new Date(Number(block.blockTime) * 1000)
  providers.doubt(rpc.name)
  throw new ProviderError(
    `${rpc.name} reports last valid height ${lastValidBlockHeight}, but block height ${height} in slot ${newest}`,
  )
}

/** The node's latest blockhash. @throws ProviderError if the node is far behind */
export async function recentBlockhash(
  rpc: JsonRpc,
  newest: number,
): Promise<{ blockhash: string; lastValidBlockHeight: bigint }> {
  const { blockhash, lastValidBlockHeight } = await latestBlockhash(rpc)
  // Checked nodes alone are in `newest`, and the chain grows by a few blocks at most meanwhile.
  if (lastValidBlockHeight - newest > maxBehind)
    throw new ProviderError(
      `${rpc.name} is ${lastValidBlockHeight - newest} blocks ahead of what blocks prove`,
    )
  if (newest - lastValidBlockHeight > maxBehind)
    throw new ProviderError(`${rpc.name} is ${newest - lastValidBlockHeight} blocks behind`)
  // Never too low because one node is behind: above this height the action may be sent again.
  return { blockhash, lastValidBlockHeight: BigInt(Math.max(newest, lastValidBlockHeight)) }
}

interface LatestBlockhash {
  blockhash: string
  lastValidBlockHeight: number
  /** Of the state that it was read from. */
  slot: number
}

export async function latestBlockhash(rpc: JsonRpc): Promise<LatestBlockhash> {
  const answered = (await rpc.call('getLatestBlockhash', [{ commitment }])) as {
    context?: { slot?: unknown }
    value?: { blockhash?: unknown; lastValidBlockHeight?: unknown }
  } | null
  const { blockhash, lastValidBlockHeight } = answered?.value ?? {}
  if (typeof blockhash !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(blockhash))
    throw new ProviderError(`${rpc.name} returned no latest blockhash`)
  return {
    blockhash,
    lastValidBlockHeight: Number(wholeNumber(rpc, 'height for a blockhash', lastValidBlockHeight)),
    slot: Number(wholeNumber(rpc, 'slot of a blockhash', answered?.context?.slot)),
  }
}

/**
 * Rent-exempt minimum in lamports of an account of this size (Solana docs,
 * "getMinimumBalanceForRentExemption").
 */
export const rentFor = async (rpc: JsonRpc, bytes: number): Promise<bigint> =>
  wholeNumber(rpc, 'rent', await rpc.call('getMinimumBalanceForRentExemption', [bytes, { commitment }]))
