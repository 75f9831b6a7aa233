import { ProviderError } from '../../chain.ts'
import { agreedOutcome, type ReportedOutcome } from '../../providers/agreeOutcome.ts'
import { type JsonRpc, RpcError } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import type { Chain } from '../../registry.ts'
import type { Outcome, SentTransaction, TokenMove } from '../../sending.ts'
import { headerOf } from '../read/header.ts'
import { tokenTransferOf } from '../read/movements.ts'
import { quantity, tryCall } from '../refusals.ts'
import { hex, type RpcHeader, type RpcLog, type RpcReceipt, type RpcTransaction } from '../rpcTypes.ts'
import { larger } from './fees.ts'
import { hasOperatorFee, operatorFeePaid } from './operatorFee.ts'
import type { EvmSenderContext } from './senderContext.ts'

type Included = Extract<Outcome, { status: 'included' }>

/**
 * Reads the transactions of one transfer: one is in a block, or other transactions used all their nonces,
 * or neither yet.
 * @param from normal form
 * @throws ProviderError
 */
export async function outcomeOf(
  { providers, chain }: EvmSenderContext,
  from: string,
  transactions: readonly SentTransaction[],
): Promise<Outcome> {
  if (transactions.length === 0) return { status: 'absent' }
  const outcome = await agreedOutcome(providers, transactions, (rpc) =>
    outcomeBy(rpc, chain, from, transactions),
  )
  if (outcome.status !== 'included' || outcome.succeeded) return outcome
  return { ...outcome, reason: await reasonOf({ providers }, outcome) }
}

async function outcomeBy(
  rpc: JsonRpc,
  chain: Chain,
  from: string,
  transactions: readonly SentTransaction[],
): Promise<ReportedOutcome> {
  const [head, finalized, [early]] = await Promise.all([
    heightOf(rpc, 'latest'),
    finalizedHeight(rpc),
    receiptsOf(rpc, transactions),
  ])
  if (head === null) throw new ProviderError(`${rpc.name} has no block`)
  const depths = depthsOf(chain, head, finalized)
  if (early) return { head, outcome: includedBy(early, depths, await operatorFeeIn(rpc, chain, early)) }
  const standing = await nonceStanding(rpc, from, highestNonce(transactions), depths)
  if (standing === null) return { head, outcome: { status: 'absent' } }
  // Read the receipts again: one of these may have used the nonce, in a block that came in between.
  const [late] = await receiptsOf(rpc, transactions, 'block required')
  if (late) return { head, outcome: includedBy(late, depths, await operatorFeeIn(rpc, chain, late)) }
  return { head, outcome: { status: 'unminable', reason: 'sequence_used', standing } }
}

/** The highest confirmed and final heights; negative on a chain that is too young. */
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

interface SentReceipt extends Omit<RpcReceipt, 'logs'> {
  logs?: RpcLog[]
  effectiveGasPrice?: string
  /** The L1 data fee of OP stack chains. */
  l1Fee?: string | null
  operatorFeeScalar?: string | null
  operatorFeeConstant?: string | null
}

/**
 * Receipts of the transactions that are in a block. @throws ProviderError with `strict`, where a receipt has
 * no block
 */
async function receiptsOf(
  rpc: JsonRpc,
  transactions: readonly SentTransaction[],
  strict?: 'block required',
): Promise<SentReceipt[]> {
  const params = transactions.map(({ txId }) => [txId])
  const receipts = (await rpc.callMany('eth_getTransactionReceipt', params)) as (SentReceipt | null)[]
  return receipts.flatMap((receipt, index) => {
    // Some nodes answer a receipt without a block for a pending transaction.
    if (!receipt) return []
    if (!receipt.blockHash) {
      if (strict)
        throw new ProviderError(
          `${rpc.name}: receipt of ${transactions[index]?.txId} without a block, although its nonce was used`,
        )
      return []
    }
    const txId = transactions[index]?.txId
    if (receipt.transactionHash !== txId)
      throw new ProviderError(`${rpc.name}: requested the receipt of ${txId}, got another one`)
    return [receipt]
  })
}

/** Its formula follows from the time of the block. @throws ProviderError where the node has no such block */
async function operatorFeeIn(rpc: JsonRpc, chain: Chain, receipt: SentReceipt): Promise<bigint> {
  if (chain.jovianTime === undefined || !hasOperatorFee(receipt) || receipt.gasUsed === undefined) return 0n
  const header = (await rpc.call('eth_getBlockByHash', [receipt.blockHash, false])) as RpcHeader | null
  if (header?.hash !== receipt.blockHash)
    throw new ProviderError(`${rpc.name} has no block ${receipt.blockHash}, of which it gave a receipt`)
  const time = Number(quantity(header.timestamp, 'the time of a block'))
  return operatorFeePaid(chain, receipt, quantity(receipt.gasUsed, 'the gas of a receipt'), time)
}

function standingAt(height: number, depths: Depths): Included['standing'] {
  if (height <= depths.final) return 'final'
  return height <= depths.confirmed ? 'confirmed' : 'seen'
}

function includedBy(receipt: SentReceipt, depths: Depths, operatorFee: bigint): Included {
  const height = Number(quantity(receipt.blockNumber, 'the height of a receipt'))
  const { gasUsed, effectiveGasPrice, l1Fee } = receipt
  const gas = gasUsed === undefined ? null : quantity(gasUsed, 'the gas of a receipt')
  const price =
    effectiveGasPrice === undefined ? null : quantity(effectiveGasPrice, 'the gas price of a receipt')
  return {
    status: 'included',
    txId: receipt.transactionHash,
    succeeded: quantity(receipt.status, 'the status of a receipt') === 1n,
    reason: null,
    blockHeight: height,
    blockId: receipt.blockHash,
    standing: standingAt(height, depths),
    fee:
      gas === null || price === null
        ? null
        : gas * price + (l1Fee ? quantity(l1Fee, 'the fee of a receipt') : 0n) + operatorFee,
    gasUsed: gas,
    tokenMoves: receipt.logs ? tokenMovesOf(receipt.logs) : null,
  }
}

function tokenMovesOf(logs: readonly RpcLog[]): TokenMove[] {
  return logs.flatMap((log) => {
    const moved = sound(() => tokenTransferOf(log))
    return moved ? [moved] : []
  })
}

/** Nonces are used in order: once the last is used, all are. Null where a transaction has no nonce. */
function highestNonce(transactions: readonly SentTransaction[]): bigint | null {
  const nonces = transactions.map(({ nonce }) => nonce)
  return nonces.reduce(
    (last, each) => (last === null || each === null ? null : larger(last, each)),
    nonces[0] ?? null,
  )
}

/** How deep the block is that used the nonce; null where the nonce is unused or absent. */
async function nonceStanding(
  rpc: JsonRpc,
  from: string,
  nonce: bigint | null,
  { confirmed, final }: Depths,
): Promise<'seen' | 'confirmed' | 'final' | null> {
  if (nonce === null) return null
  const newest = quantity(await rpc.call('eth_getTransactionCount', [from, 'latest']), 'a nonce')
  if (newest <= nonce) return null
  const usedAt = async (height: number) => {
    const count = height < 0 ? null : await countAt(rpc, from, height)
    return count !== null && count > nonce
  }
  // The final height may be above the confirmed one: check both.
  const [byConfirmed, byFinal] = await Promise.all([usedAt(confirmed), usedAt(final)])
  if (byFinal) return 'final'
  return byConfirmed ? 'confirmed' : 'seen'
}

/** The nonce at a height; null where the node has pruned that state (geth keeps 128 blocks). */
async function countAt(rpc: JsonRpc, from: string, height: number): Promise<bigint | null> {
  try {
    return quantity(await rpc.call('eth_getTransactionCount', [from, hex(height)]), 'a nonce')
  } catch (error) {
    if (error instanceof RpcError) return null
    throw error
  }
}

/**
 * Why a transaction failed, from its call repeated on the state after its block. Null where no provider
 * knows.
 */
async function reasonOf(
  { providers }: Pick<EvmSenderContext, 'providers'>,
  { txId, blockHeight, gasUsed }: Included,
): Promise<string | null> {
  try {
    return await providers.ask(async (rpc) => {
      const sent = (await rpc.call('eth_getTransactionByHash', [txId])) as
        | (RpcTransaction & { gas?: string })
        | null
      if (!sent) return null
      const { from, to, value, input, gas } = sent
      const tried = await tryCall(() =>
        rpc.call('eth_call', [{ from, to, value, data: input, gas }, hex(blockHeight)]),
      )
      if ('failed' in tried) return tried.failed
      return gas !== undefined && gasUsed === BigInt(gas) ? 'out of gas' : null
    })
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}
