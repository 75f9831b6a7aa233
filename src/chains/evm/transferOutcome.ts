import { agreedOutcome, type ReportedOutcome } from '../agreeOutcome.ts'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import type { Chain } from '../registry.ts'
import type { Outcome, SentTransaction } from '../sending.ts'
import { larger } from './fees.ts'
import { headerOf } from './header.ts'
import { quantity, triedCall } from './refusals.ts'
import { hex, type RpcHeader, type RpcReceipt, type RpcTransaction } from './rpcTypes.ts'
import type { EvmSenderContext } from './senderContext.ts'

type Included = Extract<Outcome, { status: 'included' }>

/**
 * What became of transactions of one intent: one of them is in a block, or all their sequences were used by others, or neither yet.
 * @param from normal form
 * @throws ProviderError
 */
export async function outcomeOf({ providers, chain }: EvmSenderContext, from: string, transactions: readonly SentTransaction[]): Promise<Outcome> {
  if (transactions.length === 0) return { status: 'absent' }
  const outcome = await agreedOutcome(providers, transactions, (rpc) => outcomeBy(rpc, chain, from, transactions))
  if (outcome.status !== 'included' || outcome.succeeded) return outcome
  return { ...outcome, reason: await reasonOf({ providers }, outcome) }
}

async function outcomeBy(rpc: JsonRpc, chain: Chain, from: string, transactions: readonly SentTransaction[]): Promise<ReportedOutcome> {
  const [head, finalized, [early]] = await Promise.all([heightOf(rpc, 'latest'), finalizedHeight(rpc), receiptsOf(rpc, transactions)])
  if (head === null) throw new ProviderError(`${rpc.name} has no block`)
  const depths = depthsOf(chain, head, finalized)
  if (early) return { head, outcome: includedBy(early, depths) }
  const standing = await usedBy(rpc, from, lastSequence(transactions), depths)
  if (standing === null) return { head, outcome: { status: 'absent' } }
  // Only now: what used the sequence may be one of these, in a block that came in between.
  const [late] = await receiptsOf(rpc, transactions, 'none may be without a block')
  return { head, outcome: late ? includedBy(late, depths) : { status: 'gone', reason: 'sequence_used', standing } }
}

/** The last heights that are confirmed and final; less than zero where the chain is too young. */
interface Depths {
  confirmed: number
  final: number
}

function depthsOf(chain: Chain, head: number, finalized: number | null): Depths {
  const byDepth = head - chain.finalizedDepth + 1
  return {
    confirmed: chain.byFinalizedTag ? (finalized ?? byDepth) : head - chain.confirmations + 1,
    final: Math.max(finalized ?? byDepth, byDepth),
  }
}

async function heightOf(rpc: JsonRpc, tag: string): Promise<number | null> {
  const header = (await rpc.call('eth_getBlockByNumber', [tag, false])) as RpcHeader | null
  return header === null ? null : sound(() => headerOf(header)).height
}

/** A node without the tag `finalized` refuses it as a bad parameter or an unknown block. */
const finalizedHeight = (rpc: JsonRpc): Promise<number | null> =>
  heightOf(rpc, 'finalized').catch((error: unknown) => {
    if (error instanceof RpcError) return null
    throw error
  })

interface SentReceipt extends RpcReceipt {
  effectiveGasPrice?: string
  /** Of the OP stack's chains: what the data on Ethereum cost. */
  l1Fee?: string | null
}

/** Of those that are in a block. @throws ProviderError where the node knows one without its block, and that would be taken for none */
async function receiptsOf(rpc: JsonRpc, transactions: readonly SentTransaction[], strict?: 'none may be without a block'): Promise<SentReceipt[]> {
  const params = transactions.map(({ txId }) => [txId])
  const receipts = (await rpc.callMany('eth_getTransactionReceipt', params)) as (SentReceipt | null)[]
  return receipts.flatMap((receipt, index) => {
    // Some nodes have one for what is pending, without a block.
    if (!receipt) return []
    if (!receipt.blockHash) {
      if (strict) throw new ProviderError(`${rpc.name}: a receipt without a block, of a transaction whose sequence was used`)
      return []
    }
    if (receipt.transactionHash !== transactions[index]?.txId) throw new ProviderError(`${rpc.name}: a receipt of another transaction`)
    return [receipt]
  })
}

function includedBy(receipt: SentReceipt, depths: Depths): Included {
  const height = Number(quantity(receipt.blockNumber, 'the height of a receipt'))
  const { gasUsed, effectiveGasPrice, l1Fee } = receipt
  const gas = gasUsed === undefined ? null : quantity(gasUsed, 'the gas of a receipt')
  const price = effectiveGasPrice === undefined ? null : quantity(effectiveGasPrice, 'the gas price of a receipt')
  return {
    status: 'included',
    txId: receipt.transactionHash,
    succeeded: quantity(receipt.status, 'the status of a receipt') === 1n,
    reason: null,
    blockHeight: height,
    blockId: receipt.blockHash,
    standing: height <= depths.final ? 'final' : height <= depths.confirmed ? 'confirmed' : 'seen',
    fee: gas === null || price === null ? null : gas * price + (l1Fee ? quantity(l1Fee, 'the fee of a receipt') : 0n),
    gasUsed: gas,
  }
}

/** Sequences are used in their order: when the last one is, all are. Null where one has none. */
function lastSequence(transactions: readonly SentTransaction[]): bigint | null {
  const sequences = transactions.map(({ sequence }) => sequence)
  return sequences.reduce((last, each) => (last === null || each === null ? null : larger(last, each)), sequences[0] ?? null)
}

/** How deep the sequence was used by then; null where it was not, or the node does not know any more. */
async function usedBy(
  rpc: JsonRpc,
  from: string,
  sequence: bigint | null,
  { confirmed, final }: Depths,
): Promise<'seen' | 'confirmed' | 'final' | null> {
  if (sequence === null) return null
  const newest = quantity(await rpc.call('eth_getTransactionCount', [from, 'latest']), 'a nonce')
  if (newest <= sequence) return null
  const usedAt = async (height: number) => {
    const count = height < 0 ? null : await countAt(rpc, from, height)
    return count !== null && count > sequence
  }
  // A confirmed block may be behind a final one, where few confirmations are many.
  const [byConfirmed, byFinal] = await Promise.all([usedAt(confirmed), usedAt(final)])
  return byFinal ? 'final' : byConfirmed ? 'confirmed' : 'seen'
}

/** Null where the node has not kept the state of that block: geth keeps those of 128. Then nothing is known, and nothing is said. */
async function countAt(rpc: JsonRpc, from: string, height: number): Promise<bigint | null> {
  try {
    return quantity(await rpc.call('eth_getTransactionCount', [from, hex(height)]), 'a nonce')
  } catch (error) {
    if (error instanceof RpcError) return null
    throw error
  }
}

/** Why a transaction failed: what its call says when it is made again in the state behind its block. Null where nobody tells. */
async function reasonOf({ providers }: Pick<EvmSenderContext, 'providers'>, { txId, blockHeight, gasUsed }: Included): Promise<string | null> {
  try {
    return await providers.ask(async (rpc) => {
      const sent = (await rpc.call('eth_getTransactionByHash', [txId])) as (RpcTransaction & { gas?: string }) | null
      if (!sent) return null
      const { from, to, value, input, gas } = sent
      const tried = await triedCall(() => rpc.call('eth_call', [{ from, to, value, data: input, gas }, hex(blockHeight)]))
      if ('failed' in tried) return tried.failed
      return gas !== undefined && gasUsed === BigInt(gas) ? 'out of gas' : null
    })
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}
