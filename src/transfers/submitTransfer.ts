import type { SignedTransaction, Terms, TransferBuilder } from '../chains/sending.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { isUuid } from '../platform/ids.ts'
import { broadcastAttempt } from '../txmgr/broadcastAttempt.ts'
import { claimNonce } from '../txmgr/claimNonce.ts'
import { graceMs, type SendingChain, type TxManagerContext } from '../txmgr/context.ts'
import { type HoldContext, requireNotHeld } from '../txmgr/hold.ts'
import { insertAttempt, insertIntent, readIntents } from '../txmgr/intents.ts'
import { requireNotPaused } from '../txmgr/pause.ts'
import { firstSending, markSigned, type SignedNow } from '../txmgr/signNow.ts'
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
 * Accepts a prepared transfer, signed: exactly the transaction that was prepared. Submitting it again answers the transfer.
 * @throws ApiError 404; 409 `transfer_expired`, `sequence_used`; 422 `signed_transfer_mismatch`
 */
export async function submitTransfer(
  ctx: TxManagerContext,
  request: { businessId: string; id: string; payload: string },
  remember: (db: Queryable, view: TransferView) => Promise<void>,
): Promise<TransferView> {
  if (!isUuid(request.id)) throw notFound('Prepared transfer')
  const prepared = await findPrepared(ctx.db, request)
  if (prepared.submittedAt === null) {
    await requireNotPaused(ctx.db, prepared.chain)
    const sending = await ctx.sendingChain(prepared.chain)
    const { signed, transfer } = acceptSigned(sending.builder, prepared, request.payload)
    await requireUsable(sending, transfer.from, prepared, signed)
    const stored = await ctx.db.tx((tx) => store(ctx, tx, sending.builder, request, remember))
    if (stored) {
      failpoint('api.transfer-signed')
      const { row } = stored
      return answerStored(ctx, row, remember, () =>
        broadcastAttempt(ctx, sending, row, stored.sending, ['api.transfer-sent', 'api.transfer-recorded']),
      )
    }
  }
  const [row] = await readIntents(ctx.db, 'id = $1 and business_id = $2', [request.id, request.businessId])
  if (!row) throw notFound('Transfer')
  const view = presentTransfer(row)
  await remember(ctx.db, view)
  return view
}

/** @throws ApiError 422 `signed_transfer_mismatch` */
function acceptSigned(builder: TransferBuilder, prepared: Prepared, payload: string) {
  const wanted = readPrepared(prepared.transfer)
  const nonce = prepared.nonce === null ? null : BigInt(prepared.nonce)
  const signed = builder.accept(wanted.transfer, prepared.terms, nonce, payload)
  if (!('refused' in signed)) return { ...wanted, nonce, signed }
  throw new ApiError(422, 'signed_transfer_mismatch', `payload: ${signed.refused}`, { fields: [{ field: 'payload', message: signed.refused }] })
}

/**
 * Checks that no other transaction has used the nonce; this very transaction may have been sent from elsewhere.
 * @throws ApiError 409 `sequence_used`
 */
async function requireUsable(sending: SendingChain, from: string, prepared: Prepared, { txId, expiry }: SignedTransaction): Promise<void> {
  if (prepared.nonce === null) return
  const nonce = BigInt(prepared.nonce)
  const lowest = await nextNonce(sending, from)
  if (lowest === undefined || lowest <= nonce) return
  const outcome = await sending.sender.outcome(from, [{ txId, expiry, nonce }]).catch((error) => {
    throw asUnavailable(prepared.chain, error)
  })
  if (outcome.status === 'unminable') throw nonceUsed()
}

const nonceUsed = () =>
  new ApiError(409, 'sequence_used', 'Something else was sent from this address since the transfer was prepared; prepare it again')

async function findPrepared(db: Queryable, { id, businessId }: { id: string; businessId: string }, lock = ''): Promise<Prepared> {
  const [prepared] = await db.query<Prepared>(
    `select id, chain, transfer, terms, nonce, expires_at <= now() as expired, submitted_at as "submittedAt"
     from prepared_transfers where id = $1 and business_id = $2 ${lock}`,
    [id, businessId],
  )
  if (!prepared) throw notFound('Prepared transfer')
  return prepared
}

/** @returns null if another request was faster */
async function store(
  ctx: HoldContext,
  tx: Tx,
  builder: TransferBuilder,
  request: { businessId: string; id: string; payload: string },
  remember: (db: Queryable, view: TransferView) => Promise<void>,
): Promise<SignedNow | null> {
  const prepared = await findPrepared(tx, request, 'for update')
  if (prepared.submittedAt !== null) return null
  if (prepared.expired) throw new ApiError(409, 'transfer_expired', 'The time to sign this transfer is over; prepare it again')
  const { transfer, symbol, decimals, nonce, signed } = acceptSigned(builder, prepared, request.payload)
  const { id, chain } = prepared
  const wanted = {
    id,
    businessId: request.businessId,
    purpose: 'transfer',
    chain,
    signer: 'external',
    walletId: null,
    transfer,
    symbol,
    decimals,
  } as const
  const row = await insertIntent(tx, wanted, graceMs, null)
  const owner = { chain, address: transfer.from, intentId: id }
  if (nonce !== null && (await claimNonce(tx, owner, nonce)) !== nonce) throw nonceUsed()
  // The chain may have been paused, or the business suspended, while the chain was asked.
  await requireNotPaused(tx, chain)
  await requireNotHeld(ctx, tx, request.businessId)
  failpoint('api.transfer-claimed')
  await insertAttempt(tx, row, { nonce, terms: prepared.terms, signed, sends: 1 })
  await tx.query('update prepared_transfers set submitted_at = now() where id = $1', [id])
  const stored = await markSigned(tx, row, signed)
  await remember(tx, presentTransfer(stored))
  return { row: stored, sending: await firstSending(tx, id) }
}
