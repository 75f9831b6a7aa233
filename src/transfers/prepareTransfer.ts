import type { TransferSpec } from '../chains/action.ts'
import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import type { UnsignedTransaction } from '../chains/sending.ts'
import type { Tx } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import type { TxManagerContext } from '../txmgr/context.ts'
import { requireNotPaused } from '../txmgr/pause.ts'
import { type FeeView, presentFee } from './estimateTransfer.ts'
import { nextNonce, planTransfer, requireAffordable, requireSensibleFee } from './planTransfer.ts'
import { writePrepared } from './preparedSpec.ts'
import type { WantedTransfer } from './readTransfer.ts'

/** An unsigned transfer, for the customer's own wallet. */
export interface PreparedView {
  /** The transfer's, once it is submitted. */
  id: string
  chain: string
  fromAddress: string
  payload: string
  encoding: UnsignedTransaction['encoding']
  signing: string
  fee: FeeView
  expiresAt: string
}

/**
 * Time to sign. On Solana a blockhash lives for 150 blocks, about a minute; on Tron and Stellar the
 * transaction expires after five minutes; on EVM another transaction may use the nonce.
 */
const signWithinMs: Record<Family, number> = { evm: 300_000, solana: 50_000, tron: 240_000, stellar: 240_000 }

/**
 * Builds the unsigned transaction of a transfer: sends nothing and claims no nonce.
 * @param also runs in the transaction that stores it
 * @throws ApiError 422 with the reason why it cannot be made; 503
 */
export async function prepareTransfer(
  ctx: TxManagerContext,
  wanted: WantedTransfer & { businessId: string; from: string },
  also: (tx: Tx, result: PreparedView) => Promise<void>,
): Promise<PreparedView> {
  const { chain } = wanted
  await requireNotPaused(ctx.db, chain.name)
  const sending = await ctx.sendingChain(chain.name)
  const transfer: TransferSpec = { ...wanted.transfer, from: wanted.from }
  const plan = await planTransfer(sending, transfer)
  requireAffordable(plan)
  // A price that the caller names is not checked.
  if (transfer.gasPrice === null) await requireSensibleFee(ctx, chain, plan)
  const nonce = (await nextNonce(sending, transfer.from)) ?? null
  const unsigned = sending.builder.unsigned(transfer, plan.terms, nonce)
  const view: PreparedView = {
    id: newId(),
    chain: chain.name,
    fromAddress: addressCodec(chain.family).display(wanted.from),
    ...unsigned,
    fee: presentFee(chain, plan),
    expiresAt: new Date(Date.now() + signWithinMs[chain.family]).toISOString(),
  }
  await ctx.db.tx(async (tx) => {
    await tx.query(
      `insert into prepared_transfers (id, business_id, chain, transfer, terms, nonce, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        view.id,
        wanted.businessId,
        chain.name,
        writePrepared(wanted, transfer),
        JSON.stringify(plan.terms),
        nonce?.toString() ?? null,
        view.expiresAt,
      ],
    )
    await also(tx, view)
  })
  failpoint('api.transfer-prepared')
  return view
}
