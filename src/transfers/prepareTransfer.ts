import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import type { TransferIntent, UnsignedTransaction } from '../chains/sending.ts'
import type { OutgoingContext } from '../outgoing/context.ts'
import { requireNotPaused } from '../outgoing/pause.ts'
import type { Tx } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import { type FeeView, presentFee } from './estimateTransfer.ts'
import { nextSequence, planTransfer, requireAffordable, requireSensibleFee } from './planTransfer.ts'
import { writeIntent } from './preparedIntent.ts'
import type { WantedTransfer } from './readTransfer.ts'

/** A transfer for somebody else to sign. */
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
 * How long there is to sign. On Solana a blockhash lives for 150 blocks, about a minute; on Tron and Stellar the transaction names its
 * own end, five minutes on; on EVM the nonce may be another's by then.
 */
const signWithinMs: Record<Family, number> = { evm: 300_000, solana: 50_000, tron: 240_000, stellar: 240_000 }

/**
 * Builds the transaction of a transfer for somebody else to sign: nothing is sent, and no sequence is taken.
 * @param also runs in the transaction that stores it
 * @throws ApiError 422 with the reason why it cannot be made; 503
 */
export async function prepareTransfer(
  ctx: OutgoingContext,
  wanted: WantedTransfer & { businessId: string; from: string },
  also: (tx: Tx, view: PreparedView) => Promise<void>,
): Promise<PreparedView> {
  const { chain } = wanted
  await requireNotPaused(ctx.db, chain.name)
  const sending = await ctx.sendingChain(chain.name)
  const intent: TransferIntent = { ...wanted.intent, from: wanted.from }
  const plan = await planTransfer(sending, intent)
  requireAffordable(plan)
  // Who names a price means it.
  if (intent.gasPrice === null) requireSensibleFee(chain, plan)
  const sequence = (await nextSequence(sending, intent.from)) ?? null
  const unsigned = sending.builder.unsigned(intent, plan.terms, sequence)
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
      `insert into prepared_transfers (id, business_id, chain, intent, terms, sequence, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
      [view.id, wanted.businessId, chain.name, writeIntent(wanted, intent), JSON.stringify(plan.terms), sequence?.toString() ?? null, view.expiresAt],
    )
    await also(tx, view)
  })
  failpoint('api.transfer-prepared')
  return view
}
