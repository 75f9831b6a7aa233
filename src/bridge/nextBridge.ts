import type { Intent } from '../txmgr/intents.ts'
import type { BridgeTransfer } from './bridgeRow.ts'

type Followed = Pick<Intent, 'status' | 'settled' | 'txId' | 'message' | 'reason'>

/** What a transfer asks for. */
export type NextStep =
  /** A change of its intents takes it further. */
  | { act: 'wait' }
  | { act: 'fail'; message: string }
  | { act: 'burnt'; txId: string }
  /** A fork took the burn back. */
  | { act: 'burn taken back' }
  | { act: 'minted'; txId: string }
  | { act: 'mint taken back' }
  /** Circle is asked for the signed message. */
  | { act: 'attest' }
  | { act: 'mint' }

/**
 * Works out the next step of a transfer from its intents. It fails only while nothing is burnt: afterwards it may be late, but the signed message can
 * always be minted.
 */
export function nextBridge(
  { status, attestation, mintIntentId, destinationTxId }: Pick<BridgeTransfer, 'status' | 'attestation' | 'mintIntentId' | 'destinationTxId'>,
  burn: Followed,
  mint: Followed | null,
): NextStep {
  if (status === 'completed') {
    const isOurs = mintIntentId !== null && mint?.txId === destinationTxId
    return isOurs && mint?.status !== 'confirmed' ? { act: 'mint taken back' } : { act: 'wait' }
  }
  if (mint?.status === 'confirmed' && mint.txId !== null) return { act: 'minted', txId: mint.txId }
  if (burn.status === 'confirmed' && burn.txId !== null) {
    if (status !== 'in_progress') return { act: 'burnt', txId: burn.txId }
    return attestation === null ? { act: 'attest' } : { act: 'mint' }
  }
  if (status === 'in_progress') return { act: 'burn taken back' }
  const isOver = burn.status === 'failed' || burn.status === 'expired'
  if (!isOver) return status === 'failed' ? { act: 'burn taken back' } : { act: 'wait' }
  return status === 'failed' ? { act: 'wait' } : { act: 'fail', message: burn.message ?? burn.reason ?? burn.status }
}
