import { ProviderError } from '../chain.ts'
import { ThrottledError } from '../providers/budget.ts'
import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import type { Broadcast, SignedTransaction } from '../sending.ts'
import { wholeOf } from './chainState.ts'
import { commitment } from './header.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { statusesOf } from './signatureStatuses.ts'

/** Error codes of Agave's JSON-RPC (Solana docs, "JSON-RPC errors"). */
const codes = { preflightFailure: -32002, badSignature: -32003 } as const

/**
 * What preflight says, in Agave's words (solana-transaction-error). `passing` are errors of the moment: of a busy account, a full block.
 */
const said = {
  known: /already been processed/i,
  noBlockhash: /blockhash not found/i,
  passing: /in use|maintenance|would exceed|program cache|commit cancelled/i,
}

/**
 * Gives the bytes to all nodes, each of which passes them on to the next leaders. Preflight is on, because without it a node takes
 * anything and says nothing; at `confirmed`, because by itself it looks at finalized blocks, which do not know the blockhash yet.
 * Nodes do not try again by themselves: whoever sends does that.
 * @throws ProviderError where a node may have passed them on and did not say so
 */
export async function broadcastTransfer({ providers }: SolanaSenderContext, transaction: SignedTransaction): Promise<Broadcast> {
  let underway = 0
  const answers = await providers.askAll(async (rpc) => {
    underway += 1
    try {
      const answer = await broadcastBy(rpc, transaction)
      underway -= 1
      return answer
    } catch (error) {
      // It was asked too much, or is too far behind the others, and did not look at them.
      if (error instanceof ThrottledError) underway -= 1
      throw error
    }
  })
  const first = (status: Broadcast['status']) => answers.find((answer) => answer.status === status)
  const open = first('accepted') ?? first('busy') ?? first('expired')
  if (open) return open
  // "Refused" means that nobody took them: a node that has not answered may have.
  if (underway > 0) throw new ProviderError('one node refused the transaction, and another one did not say what it did')
  return first('refused') ?? { status: 'busy', message: null }
}

async function broadcastBy(rpc: JsonRpc, transaction: SignedTransaction): Promise<Broadcast> {
  const payload = Buffer.from(transaction.bytes).toString('base64')
  try {
    const signature = await rpc.call('sendTransaction', [payload, { encoding: 'base64', preflightCommitment: commitment, maxRetries: 0 }])
    if (signature !== transaction.txId) throw new ProviderError(`${rpc.name} took another transaction`)
    return { status: 'accepted', message: null }
  } catch (error) {
    const refusal = error instanceof RpcError ? refusalOf(error) : null
    if (!refusal) throw error
    return refusal.status === 'lost' ? withoutBlockhash(rpc, transaction, refusal.message) : { status: refusal.status, message: refusal.message }
  }
}

/** Null where the node does not say what it thinks of the transaction. */
function refusalOf({ code, message }: RpcError): { status: Broadcast['status'] | 'lost'; message: string } | null {
  const words = message.slice(message.indexOf(': error ') + 2)
  if (code === codes.badSignature) return { status: 'refused', message: words }
  if (code !== codes.preflightFailure) return null
  if (said.known.test(message)) return { status: 'accepted', message: words }
  if (said.noBlockhash.test(message)) return { status: 'lost', message: words }
  return { status: said.passing.test(message) ? 'busy' : 'refused', message: words }
}

/** The node does not know the blockhash: it is too old, with the transaction in a block or not; or the node is behind. */
async function withoutBlockhash(rpc: JsonRpc, { txId, expiry }: SignedTransaction, message: string): Promise<Broadcast> {
  // In this order: what is in no block by then comes into none after it.
  const height = wholeOf(rpc, 'height', await rpc.call('getBlockHeight', [{ commitment: 'finalized' }]))
  const [status] = (await statusesOf(rpc, [txId])).statuses
  if (status) return { status: 'accepted', message: null }
  const isOver = expiry && 'blockHeight' in expiry && height > expiry.blockHeight
  return { status: isOver ? 'expired' : 'busy', message }
}
