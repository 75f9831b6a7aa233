import type { TransactionFacts, Transfer } from '../chains/chain.ts'
import { type Asset, type Chain, tokenOf } from '../chains/registry.ts'
import type { SessionStatus } from './model.ts'
import { exceptionOfPayment, type PaymentException, type PaymentStatus } from './settle.ts'

export type TransferOutcome =
  | 'credited'
  | 'late'
  | 'wrong_token'
  | 'wrong_chain'
  | 'not_final'
  | 'not_read'
  | 'zero_value'
  | 'failed'
  | 'pending'
  | 'not_watched'

/** The caller's session behind an address. */
export interface OwnSession {
  id: string
  status: SessionStatus
  chain: string
  token: string
  reference: string | null
  expiresAt: Date
}

/** What is recorded of a transfer for the caller. */
export interface KnownPayment {
  status: PaymentStatus
  depth: number | null
  agreed: boolean
}

export interface TransferCase {
  chain: Pick<Chain, 'name' | 'tokens'>
  facts: Pick<TransactionFacts, 'status' | 'block'>
  indexedHeight: number | null
  transfer: Pick<Transfer, 'to' | 'amount' | 'contract'>
  /** Null if Cowry does not know the token. */
  asset: Asset | null
  session: OwnSession | null
  known: KnownPayment | null
  confirmations: number
}

export interface Decision {
  outcome: TransferOutcome
  /** For people. */
  message: string
  /** The transfer with the highest weight decides the outcome of the transaction. */
  weight: number
}

const weights: Record<TransferOutcome, number> = {
  credited: 10,
  late: 9,
  wrong_token: 8,
  wrong_chain: 7,
  not_final: 6,
  not_read: 5,
  zero_value: 4,
  failed: 3,
  pending: 2,
  not_watched: 1,
}

/** Decides why one transfer did or did not count. Pure: the argument holds all facts. */
export function decideOutcome(given: TransferCase): Decision {
  const [outcome, message] = outcomeOf(given)
  // Transfers to the caller outweigh all others.
  return { outcome, message, weight: weights[outcome] + (given.session ? 100 : 0) }
}

function outcomeOf({
  chain,
  facts,
  indexedHeight,
  transfer,
  asset,
  session,
  known,
  confirmations,
}: TransferCase): [TransferOutcome, string] {
  if (!session) return ['not_watched', 'It goes to an address that is not yours.']
  if (facts.status === 'failed')
    return ['failed', `The transaction failed: session ${session.id} received nothing.`]
  if (facts.status === 'pending')
    return ['pending', `It is not in a block yet; it is meant for session ${session.id}.`]
  if (transfer.amount === 0n)
    return ['zero_value', `It moves nothing: a transfer of zero to session ${session.id}.`]
  if (!asset) {
    return ['wrong_token', `Its token is not accepted or not known: session ${session.id} was not credited.`]
  }
  const height = facts.block?.height ?? 0
  if (indexedHeight === null || indexedHeight < height) {
    return [
      'not_read',
      `It is in block ${height}, which Cowry has not read yet (it is at ${indexedHeight ?? 'no block'}).`,
    ]
  }
  if (!known) {
    return [
      'not_read',
      `It pays session ${session.id}, but its block was read before the address was watched, or without it: ask the operator to rescan block ${height}.`,
    ]
  }
  if (known.status === 'reverted') return ['not_read', 'A fork reverted it; its new block is not read yet.']
  const exception = exceptionOfPayment(session, {
    chain: chain.name,
    token: asset.symbol,
    blockTime: facts.block?.time ?? new Date(0),
  })
  const finality = finalityOf(known, confirmations)
  if (exception === 'none') {
    return known.status === 'confirmed'
      ? ['credited', `It is credited to session ${session.id}.`]
      : ['not_final', `It pays session ${session.id} and is not final yet: ${finality}.`]
  }
  const credit =
    known.status === 'confirmed'
      ? 'It is credited to you all the same.'
      : `It is credited to you once it is final: ${finality}.`
  return [exception, `${reasonOf(exception, chain, asset, session)} ${credit}`]
}

function finalityOf({ depth, agreed }: KnownPayment, confirmations: number): string {
  if (depth === null) return 'it waits until the chain calls its block finalized'
  if (confirmations < depth) return `${confirmations} of ${depth} confirmations`
  return agreed ? 'it is being confirmed' : 'a second node has not confirmed it yet'
}

function reasonOf(
  exception: Exclude<PaymentException, 'none'>,
  chain: TransferCase['chain'],
  asset: Asset,
  session: OwnSession,
): string {
  if (exception === 'wrong_chain')
    return `Session ${session.id} expects its payment on ${session.chain}, and this came on ${chain.name}.`
  if (exception === 'late') {
    return session.status === 'cancelled'
      ? `Session ${session.id} was cancelled.`
      : `It came after session ${session.id} had expired (${session.expiresAt.toISOString()}).`
  }
  return tokenOf(chain, asset.symbol)
    ? `Session ${session.id} expects ${session.token}, and this is ${asset.symbol}.`
    : `Session ${session.id} expects ${session.token}; ${asset.symbol} is not accepted in its place.`
}
