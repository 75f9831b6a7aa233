import type { Intent } from '../txmgr/intents.ts'
import type { BridgeTransfer } from './bridgeRow.ts'

type Followed = Pick<Intent, 'status' | 'settled' | 'txId' | 'message' | 'reason'>

/** The next step of a transfer. */
export type NextStep =
  /** Nothing yet; `isOver`: a change of its intents alone can take it further. */
  | { act: 'wait'; isOver: boolean; delay: 'burn_unknown' | 'burn_unsettled' | null }
  | { act: 'fail'; message: string }
  /** Also in another transaction than before: a fork. */
  | { act: 'burnt'; txId: string }
  /** A fork took the burn back. */
  | { act: 'burn taken back' }
  /** Its own mint is confirmed. */
  | { act: 'minted'; txId: string }
  /** A fork may have taken its mint back. */
  | { act: 'check mint'; txId: string }
  /** The rent of the burn's event account returns. */
  | { act: 'reclaim' }
  /** The signed message is requested from Circle. */
  | { act: 'attest' }
  | { act: 'mint' }

const wait = (delay: 'burn_unknown' | 'burn_unsettled' | null = null): NextStep => ({
  act: 'wait',
  isOver: false,
  delay,
})
const over: NextStep = { act: 'wait', isOver: true, delay: null }

/**
 * Works out the next step of a transfer from its intents. It fails only once the burn is settled without one:
 * afterwards it may be late, but the signed message can always be minted.
 */
export function nextBridge(
  row: Pick<
    BridgeTransfer,
    'status' | 'attestation' | 'sourceTxId' | 'destinationTxId' | 'reclaimAt' | 'reclaimedAt'
  >,
  burn: Followed,
  mint: Followed | null,
): NextStep {
  const { status, attestation, sourceTxId } = row
  if (status === 'completed') return afterMint(row)
  if (mint?.status === 'confirmed' && mint.txId !== null) return { act: 'minted', txId: mint.txId }
  if (burn.status === 'confirmed' && burn.txId !== null) {
    if (status !== 'in_progress' || burn.txId !== sourceTxId) return { act: 'burnt', txId: burn.txId }
    return attestation === null ? { act: 'attest' } : { act: 'mint' }
  }
  if (status === 'in_progress') return { act: 'burn taken back' }
  return afterBurn(status, burn, mint)
}

function afterMint({
  destinationTxId,
  reclaimAt,
  reclaimedAt,
}: Pick<BridgeTransfer, 'destinationTxId' | 'reclaimAt' | 'reclaimedAt'>): NextStep {
  if (reclaimedAt !== null) return over
  if (reclaimAt !== null) return { act: 'reclaim' }
  return destinationTxId === null ? over : { act: 'check mint', txId: destinationTxId }
}

/** Without a burn in a block. */
function afterBurn(
  status: BridgeTransfer['status'],
  { status: burn, settled, message, reason }: Followed,
  mint: Followed | null,
): NextStep {
  const isOver = burn === 'failed' || burn === 'expired'
  if (!isOver) return status === 'failed' ? { act: 'burn taken back' } : wait()
  // What used its nonce may be the same burn, sent by the owner of the wallet: a person has to check.
  if (burn === 'expired' && reason === 'sequence_used')
    return status === 'failed' ? over : wait('burn_unknown')
  // Until then it may be mined.
  if (!settled) return status === 'failed' ? { act: 'burn taken back' } : wait('burn_unsettled')
  if (status === 'failed') return over
  // Its mint was sent before a fork took the burn back.
  if (mint !== null && !mint.settled) return wait('burn_unsettled')
  return { act: 'fail', message: message ?? reason ?? burn }
}
