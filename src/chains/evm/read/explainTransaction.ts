import { ProviderError, type TransactionFacts, type Transfer } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import {
  hasSucceeded,
  type RpcHeader,
  type RpcReceipt,
  type RpcTransaction,
  type TraceResult,
} from '../rpcTypes.ts'
import { receiptOf } from './beforeByzantium.ts'
import { explainWithdrawals } from './explainWithdrawals.ts'
import { soundHeaderOf } from './header.ts'
import { internalTransfers, type Tracer, tracerOptions } from './internal.ts'
import { mintedBy, movementsOfReceipts, nativeOf } from './movements.ts'
import type { EvmReaderContext } from './readerContext.ts'

/**
 * Facts about one transaction, zero transfers included, or about a block's withdrawals by the block id; null
 * where no provider knows it.
 */
export function explainTransaction(ctx: EvmReaderContext, txId: string): Promise<TransactionFacts | null> {
  return ctx.providers.ask(async (rpc) => {
    const transaction = (await rpc.call('eth_getTransactionByHash', [txId])) as RpcTransaction | null
    if (!transaction) return explainWithdrawals(ctx, rpc, txId)
    if (!transaction.blockNumber)
      return sound(() => ({
        status: 'pending',
        block: null,
        transfers: intended(ctx, transaction),
        traced: false,
      }))
    const [receipt, header] = (await Promise.all([
      receiptOf(rpc, txId),
      rpc.call('eth_getBlockByNumber', [transaction.blockNumber, false]),
    ])) as [RpcReceipt | null, (RpcHeader & { miner?: string }) | null]
    if (!receipt || !header || receipt.blockHash !== header.hash)
      throw new ProviderError(`${rpc.name} answered inconsistently about ${txId}`)
    const block = sound(() => soundHeaderOf(ctx.rules, header))
    // A deposit of an OP chain that failed has moved what it minted.
    const hasMoved = hasSucceeded(receipt) || sound(() => mintedBy(ctx.rules, transaction, false)) !== null
    if (!hasMoved)
      return sound(() => ({ status: 'failed', block, transfers: intended(ctx, transaction), traced: true }))
    const { transfers, nativeByEvents } = sound(() =>
      movementsOfReceipts({ ...ctx.rules, keepEmpty: true }, { ...header, transactions: [transaction] }, [
        receipt,
      ]),
    )
    const tracer = ctx.survey.of(rpc.name)?.tracer ?? null
    if (nativeByEvents || !tracer) return { status: 'succeeded', block, transfers, traced: nativeByEvents }
    const internal = await traced(rpc, tracer, { ...header, transactions: [transaction] })
    return { status: 'succeeded', block, transfers: [...transfers, ...internal], traced: true }
  })
}

async function traced(
  rpc: JsonRpc,
  tracer: Tracer,
  block: RpcHeader & { miner?: string; transactions: RpcTransaction[] },
): Promise<Transfer[]> {
  const txHash = block.transactions[0]?.hash
  const result = (await rpc.call('debug_traceTransaction', [txHash, tracerOptions(tracer)])) as TraceResult
  return sound(() => internalTransfers(block, tracer, [{ txHash, result }]))
}

// The first four bytes of keccak256 of "transfer(address,uint256)" and
// "transferFrom(address,address,uint256)"
/** `transfer` and `transferFrom`: how many words follow the selector. */
const wordsOfCall: Readonly<Record<string, number>> = { '0xa9059cbb': 2, '0x23b872dd': 3 }

/**
 * The intended transfers of a pending or failed transaction: its value, and the ERC-20 transfer that it
 * calls.
 */
function intended(ctx: EvmReaderContext, transaction: RpcTransaction): Transfer[] {
  const native = nativeOf({ ...ctx.rules, keepEmpty: true }, transaction, null)
  const { input = '0x', from = '', to } = transaction
  const word = (index: number) => input.slice(10 + index * 64, 74 + index * 64)
  const address = (index: number) => `0x${word(index).slice(24)}`.toLowerCase()
  const words = wordsOfCall[input.slice(0, 10)] ?? 0
  if (!to || words === 0 || input.length < 10 + words * 64) return native ? [native] : []
  const transfer: Transfer = {
    txId: transaction.hash,
    movementKey: 'call',
    contract: to.toLowerCase(),
    from: words === 3 ? address(0) : from.toLowerCase(),
    to: address(words - 2),
    amount: BigInt(`0x${word(words - 1)}`),
  }
  return native ? [native, transfer] : [transfer]
}
