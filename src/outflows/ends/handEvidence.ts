import { transactionId } from '../../chains/codecs.ts'
import { registeredChain } from '../../chains/registry.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError, invalidBody } from '../../platform/errors.ts'
import { readIntents } from '../../txmgr/intents.ts'
import { isOfIntent } from '../followEnded.ts'
import type { Outflow } from '../outflow.ts'

/** An end that an operator wants, with the facts that show it. */
export interface WantedEnd {
  status: 'completed' | 'failed'
  /** That the operator has seen. */
  revision: number
  evidence: string
  /** Of a completed one to a wallet: the transaction that paid it. */
  txId?: string | undefined
  /**
   * Of a completed one to a bank: the partner's id of the payment, and what the partner took, in millionths
   * of a US dollar.
   */
  partnerPaymentId?: string | undefined
  partnerCost?: bigint | undefined
  /** Of a completed one that has not left: the platform has paid it in another way, from its own capital. */
  paidByPlatform?: boolean | undefined
}

/** The operator's statement, checked. */
export type Said = { txId: string | null } & Partial<Pick<Outflow, 'partnerPaymentId' | 'partnerCost'>>

/** @throws ApiError 400 naming the field; 409 `transaction_open`, `evidence_taken` */
export async function checkEvidence(tx: Tx, outflow: Outflow, wanted: WantedEnd): Promise<Said> {
  if (wanted.paidByPlatform) return ofPlatform(wanted)
  return outflow.wallet ? onChain(tx, outflow, wanted) : atPartner(tx, outflow, wanted)
}

async function ofPlatform({ status, txId, partnerPaymentId, partnerCost }: WantedEnd): Promise<Said> {
  if (status === 'failed')
    throw invalidBody({ field: 'elsewhere', message: 'is of completed payouts', code: 'not_possible' })
  if (txId !== undefined)
    throw invalidBody({ field: 'tx', message: 'is of payouts that left', code: 'not_possible' })
  if (partnerPaymentId !== undefined || partnerCost !== undefined)
    throw invalidBody({ field: 'payment', message: 'is of payouts that left', code: 'not_possible' })
  return { txId: null }
}

/** While a transaction of the platform may still be mined, only that transaction is evidence. */
async function onChain(
  tx: Tx,
  { id, intentId, wallet }: Outflow,
  { status, txId: given, partnerPaymentId, partnerCost }: WantedEnd,
): Promise<Said> {
  if (partnerPaymentId !== undefined || partnerCost !== undefined)
    throw invalidBody({ field: 'payment', message: 'is of payouts to banks', code: 'not_possible' })
  const txId = status === 'failed' ? null : requireTxId(wallet?.chain ?? '', given)
  if (status === 'failed' && given !== undefined)
    throw invalidBody({ field: 'tx', message: 'is of completed payouts', code: 'not_possible' })
  const [intent] = intentId === null ? [] : await readIntents(tx, 'id = $1', [intentId])
  const isOwn = intent !== undefined && txId !== null && (await isOfIntent(tx, intent.id, txId))
  if (intent && !intent.settled && !isOwn)
    throw new ApiError(
      409,
      'transaction_open',
      `its transaction ${intent.txId ?? ''} may still be mined: npm run cowry -- intents shows it`,
    )
  if (intent?.status === 'confirmed')
    throw new ApiError(
      409,
      'transaction_open',
      `the chain has paid it by ${intent.txId}: a worker completes it`,
    )
  if (txId === null) return { txId }
  const taken = await tx.query(
    `select 1 from intent_attempts a join intents i on i.id = a.intent_id where a.tx_id = $1 and i.chain = $2 and i.id is distinct from $3
     union all select 1 from outflows where to_chain = $2 and ended_tx_id = $1 and id <> $4`,
    [txId, wallet?.chain, intentId, id],
  )
  if (taken.length > 0) throw evidenceTaken('tx', txId)
  return { txId }
}

function requireTxId(chain: string, given: string | undefined): string {
  if (given === undefined)
    throw invalidBody({ field: 'tx', message: 'is required: the transaction that paid it', code: 'required' })
  const txId = transactionId(registeredChain(chain).family, given)
  if (txId === null)
    throw invalidBody({
      field: 'tx',
      message: `is not the id of a transaction of ${chain}`,
      code: 'invalid_form',
    })
  return txId
}

async function atPartner(
  tx: Tx,
  { id, bank, ...row }: Outflow,
  { status, txId, partnerPaymentId, partnerCost }: WantedEnd,
): Promise<Said> {
  if (txId !== undefined)
    throw invalidBody({ field: 'tx', message: 'is of payouts to wallets', code: 'not_possible' })
  if (status === 'failed') {
    if (partnerPaymentId !== undefined || partnerCost !== undefined)
      throw invalidBody({ field: 'payment', message: 'is of completed payouts', code: 'not_possible' })
    return { txId: null }
  }
  if (partnerPaymentId === undefined)
    throw invalidBody({
      field: 'payment',
      message: "is required: the partner's id of the payment",
      code: 'required',
    })
  if (!/^[\w-]{1,200}$/.test(partnerPaymentId))
    throw invalidBody({ field: 'payment', message: 'is not the id of a payment', code: 'invalid_form' })
  if (partnerCost === undefined || partnerCost <= 0n)
    throw invalidBody({
      field: 'cost',
      message: 'is required: the US dollars that the partner took, with its fee',
      code: 'required',
    })
  if (row.partnerPaymentId !== null && row.partnerPaymentId !== partnerPaymentId)
    throw new ApiError(
      409,
      'evidence_taken',
      `the partner has named another payment for it: ${row.partnerPaymentId}`,
    )
  const taken = await tx.query(
    'select 1 from outflows where partner = $1 and partner_payment_id = $2 and id <> $3',
    [bank?.partner, partnerPaymentId, id],
  )
  if (taken.length > 0) throw evidenceTaken('payment', partnerPaymentId)
  return { txId: null, partnerPaymentId, partnerCost }
}

const evidenceTaken = (what: string, id: string) =>
  new ApiError(409, 'evidence_taken', `${what} ${id} has paid something else`)
