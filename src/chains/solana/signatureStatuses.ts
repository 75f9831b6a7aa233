import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'

/** What a node knows of a transaction (Solana docs, "getSignatureStatuses"). */
export interface SignatureStatus {
  txId: string
  slot: number
  /** How many slots deep it is, its own counted. */
  depth: number
  /** `processed`: the node has seen it in a block, for which nobody may have voted yet. */
  standing: 'processed' | 'confirmed' | 'finalized'
  /** Null where it succeeded. */
  err: unknown
}

const standings: readonly unknown[] = ['processed', 'confirmed', 'finalized'] satisfies SignatureStatus['standing'][]

/** Of transactions that are long ago as well, as far as the node keeps them; in their order, null where it knows nothing. `head` is its newest slot. */
export async function statusesOf(rpc: JsonRpc, txIds: readonly string[]): Promise<{ head: number; statuses: (SignatureStatus | null)[] }> {
  const answered = await rpc.call('getSignatureStatuses', [txIds, { searchTransactionHistory: true }])
  return sound(() => {
    const { context, value } = answered as {
      context: { slot: number }
      value: ({ slot: number; confirmationStatus: unknown; err: unknown } | null)[]
    }
    if (!Number.isSafeInteger(context.slot)) throw new ProviderError(`${rpc.name} does not tell how far it is`)
    if (value.length !== txIds.length) throw new ProviderError(`${rpc.name} does not tell of all transactions`)
    const statuses = value.map((each, index) => {
      if (each === null) return null
      const { slot, confirmationStatus, err } = each
      if (!Number.isSafeInteger(slot) || !standings.includes(confirmationStatus) || err === undefined) {
        throw new ProviderError(`${rpc.name} does not tell how a transaction stands`)
      }
      const standing = confirmationStatus as SignatureStatus['standing']
      return { txId: txIds[index] ?? '', slot, depth: context.slot - slot + 1, standing, err }
    })
    return { head: context.slot, statuses }
  })
}
