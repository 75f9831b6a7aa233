import { ProviderError } from '../chain.ts'
import { broadcastByProviders } from '../providers/broadcastByProviders.ts'
import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import type { Broadcast, SignedTransaction } from '../sending.ts'
import { queryNode, readable } from './nodeApi.ts'

/**
 * Codes of `Return.response_code` in java-tron's `api.proto`. Other codes are not about the transaction.
 */
const statusByCode: Partial<Record<string, Broadcast['status']>> = {
  DUP_TRANSACTION_ERROR: 'accepted',
  SERVER_BUSY: 'busy',
  NO_CONNECTION: 'busy',
  NOT_ENOUGH_EFFECTIVE_CONNECTION: 'busy',
  BLOCK_UNSOLIDIFIED: 'busy',
  TRANSACTION_EXPIRATION_ERROR: 'expired',
  // It refers to a block that a fork removed for good.
  TAPOS_ERROR: 'refused',
  SIGERROR: 'refused',
  CONTRACT_VALIDATE_ERROR: 'refused',
  CONTRACT_EXE_ERROR: 'refused',
  BANDWITH_ERROR: 'refused',
  TOO_BIG_TRANSACTION_ERROR: 'refused',
}

interface BroadcastAnswer {
  result?: boolean
  code?: string
  message?: string
}

/** Reads a node's answer. @throws ProviderError if it is not about the transaction */
export function readBroadcast(answer: BroadcastAnswer): Broadcast {
  const status = answer.result === true ? 'accepted' : statusByCode[String(answer.code)]
  const message = readable(answer.message) || null
  if (!status)
    throw new ProviderError(`the broadcast was answered with ${String(answer.code).slice(0, 50)}: ${message}`)
  return { status, message }
}

/**
 * @throws ProviderError if the outcome is unknown: a node whose answer was lost may have accepted the bytes
 */
export async function broadcastTransfer(
  providers: Providers<Rest>,
  { bytes }: SignedTransaction,
): Promise<Broadcast> {
  const transaction = Buffer.from(bytes).toString('hex')
  return broadcastByProviders(providers, async (rest) =>
    readBroadcast(await queryNode<BroadcastAnswer>(rest, '/wallet/broadcasthex', { transaction })),
  )
}
