import type { SignedTransaction, Terms, TransferBuilder } from '../chains/sending.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { claimSequence } from '../outgoing/claimSequence.ts'
import { graceMs, type OutgoingContext, type SendingChain } from '../outgoing/context.ts'
import { deliver } from '../outgoing/deliver.ts'
import { type HoldContext, requireNotHeld } from '../outgoing/hold.ts'
import { insertOutgoing, insertTransaction, readOutgoing } from '../outgoing/outgoing.ts'
import { requireNotPaused } from '../outgoing/pause.ts'
import { firstSending, markSigned, type SignedNow } from '../outgoing/signNow.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { isUuid } from '../platform/ids.ts'
import { answerStored } from './createTransfer.ts'
import { nextSequence } from './planTransfer.ts'
import { readIntent } from './preparedIntent.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'

interface Prepared {
  id: string
  chain: string
  intent: object
  terms: Terms
  sequence: string | null
  expired: boolean
  submittedAt: Date | null
}

/**
 * Takes a prepared transfer back, signed: exactly the transaction that was handed out, or nothing. Submitting it again answers the
 * transfer that it has become.
 * @throws ApiError 404; 409 `transfer_expired`, `sequence_used`; 422 `signed_transfer_mismatch`
 */
export async function submitTransfer(
  ctx: OutgoingContext,
  request: { businessId: string; id: string; payload: string },
  remember: (db: Queryable, view: TransferView) => Promise<void>,
): Promise<TransferView> {
  if (!isUuid(request.id)) throw notFound('Prepared transfer')
  const prepared = await readPrepared(ctx.db, request)
  if (prepared.submittedAt === null) {
    await requireNotPaused(ctx.db, prepared.chain)
    const sending = await ctx.sendingChain(prepared.chain)
    const { signed, intent } = acceptSigned(sending.builder, prepared, request.payload)
    await requireUsable(sending, intent.from, prepared, signed)
    const stored = await ctx.db.tx((tx) => store(ctx, tx, sending.builder, request, remember))
    if (stored) {
      failpoint('api.transfer-signed')
      const { row } = stored
      return answerStored(ctx, row, remember, () => deliver(ctx, sending, row, stored.sending, ['api.transfer-sent', 'api.transfer-recorded']))
    }
  }
  const [row] = await readOutgoing(ctx.db, 'id = $1 and business_id = $2', [request.id, request.businessId])
  if (!row) throw notFound('Transfer')
  const view = presentTransfer(row)
  await remember(ctx.db, view)
  return view
}

/** @throws ApiError 422 `signed_transfer_mismatch` */
function acceptSigned(builder: TransferBuilder, prepared: Prepared, payload: string) {
  const wanted = readIntent(prepared.intent)
  const sequence = prepared.sequence === null ? null : BigInt(prepared.sequence)
  const signed = builder.accept(wanted.intent, prepared.terms, sequence, payload)
  if (!('refused' in signed)) return { ...wanted, sequence, signed }
  throw new ApiError(422, 'signed_transfer_mismatch', `payload: ${signed.refused}`, { fields: [{ field: 'payload', message: signed.refused }] })
}

/**
 * A sequence that was used may have been used by this very transaction: whoever signed it may have sent it.
 * @throws ApiError 409 `sequence_used` where it was another one
 */
async function requireUsable(sending: SendingChain, from: string, prepared: Prepared, { txId, expiry }: SignedTransaction): Promise<void> {
  if (prepared.sequence === null) return
  const sequence = BigInt(prepared.sequence)
  const lowest = await nextSequence(sending, from)
  if (lowest === undefined || lowest <= sequence) return
  const outcome = await sending.sender.outcome(from, [{ txId, expiry, sequence }]).catch((error) => {
    throw asUnavailable(prepared.chain, error)
  })
  if (outcome.status === 'gone') throw sequenceUsed()
}

const sequenceUsed = () =>
  new ApiError(409, 'sequence_used', 'Something else was sent from this address since the transfer was prepared; prepare it again')

async function readPrepared(db: Queryable, { id, businessId }: { id: string; businessId: string }, lock = ''): Promise<Prepared> {
  const [prepared] = await db.query<Prepared>(
    `select id, chain, intent, terms, sequence, expires_at <= now() as expired, submitted_at as "submittedAt"
     from prepared_transfers where id = $1 and business_id = $2 ${lock}`,
    [id, businessId],
  )
  if (!prepared) throw notFound('Prepared transfer')
  return prepared
}

/** @returns null where another request was faster */
async function store(
  ctx: HoldContext,
  tx: Tx,
  builder: TransferBuilder,
  request: { businessId: string; id: string; payload: string },
  remember: (db: Queryable, view: TransferView) => Promise<void>,
): Promise<SignedNow | null> {
  const prepared = await readPrepared(tx, request, 'for update')
  if (prepared.submittedAt !== null) return null
  if (prepared.expired) throw new ApiError(409, 'transfer_expired', 'The time to sign this transfer is over; prepare it again')
  const { intent, symbol, decimals, sequence, signed } = acceptSigned(builder, prepared, request.payload)
  const { id, chain } = prepared
  const wanted = {
    id,
    businessId: request.businessId,
    purpose: 'transfer',
    chain,
    signer: 'external',
    walletId: null,
    intent,
    symbol,
    decimals,
  } as const
  const row = await insertOutgoing(tx, wanted, graceMs, null)
  const owner = { chain, address: intent.from, outgoingId: id }
  if (sequence !== null && (await claimSequence(tx, owner, sequence)) !== sequence) throw sequenceUsed()
  // A pause or a suspension may have come while the chain was asked.
  await requireNotPaused(tx, chain)
  await requireNotHeld(ctx, tx, request.businessId)
  failpoint('api.transfer-claimed')
  await insertTransaction(tx, row, { sequence, terms: prepared.terms, signed, sends: 1 })
  await tx.query('update prepared_transfers set submitted_at = now() where id = $1', [id])
  const stored = await markSigned(tx, row, signed)
  await remember(tx, presentTransfer(stored))
  return { row: stored, sending: await firstSending(tx, id) }
}
