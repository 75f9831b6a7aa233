import { ProviderError } from '../../chain.ts'
import { ThrottledError } from '../../providers/budget.ts'
import { type JsonRpc, RpcError } from '../../providers/jsonRpc.ts'
import type { Broadcast, SignedTransaction } from '../../sending.ts'
import { wholeNumber } from '../chainState.ts'
import { commitment } from '../read/header.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { statusesOf } from './signatureStatuses.ts'

/** Error codes of Agave's JSON-RPC (Solana docs, "JSON-RPC errors"). */
const codes = { preflightFailure: -32002, badSignature: -32003 } as const

/**
 * Preflight errors in Agave's wording (solana-transaction-error). `transient`: a busy account, a full block.
 */
const preflightErrors = {
  known: /already been processed/i,
  noBlockhash: /blockhash not found/i,
  transient: /in use|maintenance|would exceed|program cache|commit cancelled/i,
}

/**
 * Sends the bytes to all nodes; each forwards them to the next leaders. Preflight is on: without it a node
 * accepts anything and reports nothing. It runs at `confirmed`: finalized blocks, the default, do not know
 * the blockhash yet. Nodes do not retry: the caller broadcasts again.
 * @throws ProviderError if a node may have forwarded the bytes without reporting it
 */
export async function broadcastTransfer(
  { providers }: SolanaSenderContext,
  transaction: SignedTransaction,
): Promise<Broadcast> {
  let unanswered = 0
  const answers = await providers.askAll(async (rpc) => {
    unanswered += 1
    try {
      const answer = await broadcastBy(rpc, transaction)
      unanswered -= 1
      return answer
    } catch (error) {
      // The request was held back: the node did not see the bytes.
      if (error instanceof ThrottledError) unanswered -= 1
      throw error
    }
  })
  const first = (status: Broadcast['status']) => answers.find((answer) => answer.status === status)
  const open = first('accepted') ?? first('busy') ?? first('expired')
  if (open) return open
  // A node that did not answer may have accepted the bytes.
  if (unanswered > 0)
    throw new ProviderError(
      'one node refused the transaction, another did not answer and may have forwarded it',
    )
  return first('refused') ?? { status: 'busy', message: null }
}

async function broadcastBy(rpc: JsonRpc, transaction: SignedTransaction): Promise<Broadcast> {
  const payload = Buffer.from(transaction.bytes).toString('base64')
  try {
    const signature = await rpc.call('sendTransaction', [
      payload,
      { encoding: 'base64', preflightCommitment: commitment, maxRetries: 0 },
    ])
    if (signature !== transaction.txId)
      throw new ProviderError(`${rpc.name} answered with the id of another transaction`)
    return { status: 'accepted', message: null }
  } catch (error) {
    const refusal = error instanceof RpcError ? refusalOf(error) : null
    if (!refusal) throw error
    return refusal.status === 'unknownBlockhash'
      ? onUnknownBlockhash(rpc, transaction, refusal.message)
      : { status: refusal.status, message: refusal.message }
  }
}

/** Null if the error is not about the transaction. */
function refusalOf({
  rpcCode,
  message,
}: RpcError): { status: Broadcast['status'] | 'unknownBlockhash'; message: string } | null {
  const words = message.slice(message.indexOf(': error ') + 2)
  if (rpcCode === codes.badSignature) return { status: 'refused', message: words }
  if (rpcCode !== codes.preflightFailure) return null
  if (preflightErrors.known.test(message)) return { status: 'accepted', message: words }
  if (preflightErrors.noBlockhash.test(message)) return { status: 'unknownBlockhash', message: words }
  return { status: preflightErrors.transient.test(message) ? 'busy' : 'refused', message: words }
}

/** The blockhash is too old, with the transaction in a block or not; or the node is behind. */
async function onUnknownBlockhash(
  rpc: JsonRpc,
  { txId, expiry }: SignedTransaction,
  message: string,
): Promise<Broadcast> {
  // Height before status: a transaction still unknown past its last height can no longer enter a block.
  const height = wholeNumber(rpc, 'height', await rpc.call('getBlockHeight', [{ commitment: 'finalized' }]))
  const [status] = (await statusesOf(rpc, [txId])).statuses
  if (status) return { status: 'accepted', message: null }
  const isExpired = expiry && 'blockHeight' in expiry && height > expiry.blockHeight
  return { status: isExpired ? 'expired' : 'busy', message }
}
