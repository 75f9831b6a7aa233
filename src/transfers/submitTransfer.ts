import type { ActionBuilder, SignedTransaction, Terms } from '../chains/sending.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { SendingChain, TxManagerContext } from '../txmgr/context.ts'
import { readIntents } from '../txmgr/intents.ts'
import { requireNotPaused } from '../txmgr/pause.ts'
import { sendSigned } from '../txmgr/sendNow.ts'
import { nonceUsed, type SignedElsewhere } from '../txmgr/signNow.ts'
import { answerStored } from './createTransfer.ts'
import { nextNonce } from './planTransfer.ts'
import { readPrepared } from './preparedSpec.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'

interface Prepared {
  id: string
  chain: string
  transfer: object
  terms: Terms
  nonce: string | null
  expired: boolean
  submittedAt: Date | null
}

/**
 * Accepts a prepared transfer, signed: exactly the transaction that was prepared. Submitting it again answers
 * the transfer.
 * @param also runs in the transaction that stores it; again on its own, without one, with the transfer as it
 * is answered
 * @throws ApiError 404; 409 `transfer_expired`, `sequence_used`; 422 `signed_transfer_mismatch`
 */
export async function submitTransfer(
  ctx: TxManagerContext,
  request: { businessId: string; id: string; payload: string },
  also: (db: Queryable, result: TransferView) => Promise<void>,
): Promise<TransferView> {
  if (!isUuid(request.id)) throw notFound('Prepared transfer')
  const prepared = await findPrepared(ctx.db, request)
  if (prepared.submittedAt === null) {
    await requireNotPaused(ctx.db, prepared.chain)
    const sending = await ctx.sendingChain(prepared.chain)
    const { signed, transfer } = acceptSigned(sending.builder, prepared, request.payload)
    await requireUsable(sending, transfer.from, prepared, signed)
    const stored = await sendSigned(
      ctx,
      sending,
      (tx) => readSigned(tx, sending.builder, request),
      async (tx, row) => {
        await tx.query('update prepared_transfers set submitted_at = now() where id = $1', [row.id])
        await also(tx, presentTransfer(row))
      },
    )
    if (stored) return answerStored(ctx, stored, also)
  }
  const [row] = await readIntents(ctx.db, 'id = $1 and business_id = $2', [request.id, request.businessId])
  if (!row) throw notFound('Transfer')
  const view = presentTransfer(row)
  await also(ctx.db, view)
  return view
}

/** @throws ApiError 422 `signed_transfer_mismatch` */
function acceptSigned(builder: ActionBuilder, prepared: Prepared, payload: string) {
  const wanted = readPrepared(prepared.transfer)
  const nonce = prepared.nonce === null ? null : BigInt(prepared.nonce)
  const signed = builder.accept(wanted.transfer, prepared.terms, nonce, payload)
  if (!('refused' in signed)) return { ...wanted, nonce, signed }
  throw new ApiError(422, 'signed_transfer_mismatch', `payload: ${signed.refused}`, {
    fields: [{ field: 'payload', message: signed.refused }],
  })
}

/**
 * Checks that no other transaction has used the nonce; this very transaction may have been sent from
 * elsewhere.
 * @throws ApiError 409 `sequence_used`
 */
async function requireUsable(
  sending: SendingChain,
  from: string,
  prepared: Prepared,
  { txId, expiry }: SignedTransaction,
): Promise<void> {
  if (prepared.nonce === null) return
  const nonce = BigInt(prepared.nonce)
  const lowest = await nextNonce(sending, from)
  if (lowest === undefined || lowest <= nonce) return
  const outcome = await sending.sender.outcome(from, [{ txId, expiry, nonce }]).catch((error) => {
    throw asUnavailable(prepared.chain, error)
  })
  if (outcome.status === 'unminable') throw nonceUsed()
}

async function findPrepared(
  db: Queryable,
  { id, businessId }: { id: string; businessId: string },
  lock = '',
): Promise<Prepared> {
  const [prepared] = await db.query<Prepared>(
    `select id, chain, transfer, terms, nonce, expires_at <= now() as expired, submitted_at as "submittedAt"
     from prepared_transfers where id = $1 and business_id = $2 ${lock}`,
    [id, businessId],
  )
  if (!prepared) throw notFound('Prepared transfer')
  return prepared
}

/** @returns null if another request was faster */
async function readSigned(
  tx: Tx,
  builder: ActionBuilder,
  request: { businessId: string; id: string; payload: string },
): Promise<SignedElsewhere | null> {
  const prepared = await findPrepared(tx, request, 'for update')
  if (prepared.submittedAt !== null) return null
  if (prepared.expired)
    throw new ApiError(409, 'transfer_expired', 'The time to sign this transfer is over; prepare it again')
  const { transfer, symbol, decimals, nonce, signed } = acceptSigned(builder, prepared, request.payload)
  const { id, chain, terms } = prepared
  const { businessId } = request
  const wanted = {
    id,
    businessId,
    purpose: 'transfer',
    chain,
    signer: 'external',
    walletId: null,
    action: transfer,
    symbol,
    decimals,
  } as const
  return { wanted, nonce, terms, signed }
}
