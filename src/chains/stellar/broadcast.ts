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
  if (answered.hash !== ours.txId)
    throw new ProviderError(`${rpc.name} answered about another transaction than it was sent`)
  switch (answered.status) {
    case 'PENDING':
    case 'DUPLICATE':
      return { status: 'accepted', message: null }
    case 'TRY_AGAIN_LATER':
      return { status: 'busy', message: 'TRY_AGAIN_LATER' }
    case 'ERROR':
      return explained(rpc, sourceOf(envelope, network), ours, answered.errorResultXdr)
    default:
      throw new ProviderError(`${rpc.name} did not report the status of a transaction`)
  }
}

/**
 * Interprets a refusal. Nodes also refuse a transaction that is already in a ledger, so check that first.
 * Read the account before the transaction: if the transaction is missing from ledgers as new as the
 * account's, it did not cause the account's state.
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
  // The fee may suffice when the network is less busy.
  if (code === 'txTOO_EARLY' || code === 'txINSUFFICIENT_FEE') return { status: 'busy', message: code }
  if (code !== 'txBAD_SEQ')
    return { status: 'refused', message: code === reason ? code : `${code}: ${reason}` }
  const used = accountState(state, source.account)?.sequence
  if (used === undefined || status.latestLedger < state.ledger)
    throw new ProviderError(`${rpc.name}: ${code}, without a reason`)
  // The account's sequence is lower: earlier transactions are pending, or the node has not applied its newest
  // ledger yet.
  return { status: used >= source.sequence ? 'nonce_used' : 'busy', message: code }
}

function sourceOf(envelope: string, network: string): { account: string; sequence: bigint } {
  const read = TransactionBuilder.fromXdr(envelope, network)
  if (!(read instanceof Transaction)) throw new Error('the bytes are not a Stellar transfer')
  return { account: unmuxed(read.source).account, sequence: BigInt(read.sequence) }
}
