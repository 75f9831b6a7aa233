import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'

/** A transaction's status at one node (Solana docs, "getSignatureStatuses"). */
export interface SignatureStatus {
  txId: string
  slot: number
  /** Depth in slots, counting its own. */
  depth: number
  /** `processed`: the node has seen it in a block, perhaps without any votes yet. */
  standing: 'processed' | 'confirmed' | 'finalized'
  /** Null if it succeeded. */
  err: unknown
}

const standings: readonly unknown[] = [
  'processed',
  'confirmed',
  'finalized',
] satisfies SignatureStatus['standing'][]

/**
 * Statuses in the given order, also of old transactions that the node keeps; null for an unknown one. `head`
 * is its newest slot.
 */
export async function statusesOf(
  rpc: JsonRpc,
  txIds: readonly string[],
): Promise<{ head: number; statuses: (SignatureStatus | null)[] }> {
  const answered = await rpc.call('getSignatureStatuses', [txIds, { searchTransactionHistory: true }])
  return sound(() => {
    const { context, value } = answered as {
      context: { slot: number }
      value: ({ slot: number; confirmationStatus: unknown; err: unknown } | null)[]
    }
    if (!Number.isSafeInteger(context.slot))
      throw new ProviderError(`${rpc.name} returned signature statuses without its slot`)
    if (value.length !== txIds.length)
      throw new ProviderError(`${rpc.name} did not return all signature statuses`)
    const statuses = value.map((each, index) => {
      if (each === null) return null
      const { slot, confirmationStatus, err } = each
      if (!Number.isSafeInteger(slot) || !standings.includes(confirmationStatus) || err === undefined) {
        throw new ProviderError(`${rpc.name} returned an invalid signature status`)
      }
      const standing = confirmationStatus as SignatureStatus['standing']
      return { txId: txIds[index] ?? '', slot, depth: context.slot - slot + 1, standing, err }
    })
    return { head: context.slot, statuses }
  })
}
