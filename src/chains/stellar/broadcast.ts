import { Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Broadcast, SignedTransaction } from '../sending.ts'
import { unmuxed } from './address.ts'
import { accountKey, accountState, ledgerEntries } from './ledgerEntries.ts'
import { readResult } from './resultCodes.ts'
import { transactionStatus } from './transactionStatus.ts'

type Ours = Pick<SignedTransaction, 'txId' | 'bytes'>

/** Sends bytes to one node (Stellar docs, "sendTransaction"). */
export async function broadcast(rpc: JsonRpc, network: string, ours: Ours): Promise<Broadcast> {
  const envelope = Buffer.from(ours.bytes).toString('base64')
  const answered = ((await rpc.call('sendTransaction', { transaction: envelope })) ?? {}) as {
    status?: string
    hash?: string
    errorResultXdr?: string
  }
  if (answered.hash !== ours.txId) throw new ProviderError(`${rpc.name} speaks of another transaction than it was sent`)
  switch (answered.status) {
    case 'PENDING':
    case 'DUPLICATE':
      return { status: 'accepted', message: null }
    case 'TRY_AGAIN_LATER':
      return { status: 'busy', message: 'TRY_AGAIN_LATER' }
    case 'ERROR':
      return explained(rpc, sourceOf(envelope, network), ours, answered.errorResultXdr)
    default:
      throw new ProviderError(`${rpc.name} does not say what became of a transaction`)
  }
}

/**
 * What a node's refusal means. What is in a ledger already is refused as well, with whatever no longer holds of it: so that is looked at
 * first. State is read before the transaction: one that is not found then, in ledgers as new as the state, did not cause it.
 */
async function explained(
  rpc: JsonRpc,
  source: { account: string; sequence: bigint },
  { txId }: Ours,
  resultXdr: string | undefined,
): Promise<Broadcast> {
  const { code, reason } = readResult(resultXdr)
  if (code === 'txINTERNAL_ERROR') throw new ProviderError(`${rpc.name}: ${code}`)
  const state = await ledgerEntries(rpc, [accountKey(source.account)])
  const status = await transactionStatus(rpc, txId)
  if (status.included) return { status: 'accepted', message: null }
  if (code === 'txTOO_LATE') return { status: 'expired', message: code }
  // A bid that is too low now may do when the network is less busy.
  if (code === 'txTOO_EARLY' || code === 'txINSUFFICIENT_FEE') return { status: 'busy', message: code }
  if (code !== 'txBAD_SEQ') return { status: 'refused', message: code === reason ? code : `${code}: ${reason}` }
  const used = accountState(state, source.account)?.sequence
  if (used === undefined || status.latestLedger < state.ledger) throw new ProviderError(`${rpc.name}: ${code}, and it does not say why`)
  // Where the account stands right before ours, or further back, others go first, or the node does not know yet of what it has just closed.
  return { status: used >= source.sequence ? 'sequence_used' : 'busy', message: code }
}

function sourceOf(envelope: string, network: string): { account: string; sequence: bigint } {
  const read = TransactionBuilder.fromXdr(envelope, network)
  if (!(read instanceof Transaction)) throw new Error('these are not the bytes of a transfer')
  return { account: unmuxed(read.source).account, sequence: BigInt(read.sequence) }
}
