import type { InferAttributes } from 'sequelize'
import type { Family } from '../chains/chain.ts'
import { formatUnits, parseDecimal } from '../money/amount.ts'
import type { Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import type { PosSession } from './model.ts'
import { paymentAddress } from './paymentUri.ts'

// Plain SQL instead of the model, for the hot paths: the worker settles sessions, and the API reads sessions
// that tills poll.

export type StoredSession = InferAttributes<PosSession>

/** Every attribute of the model and its column. */
const columns: Record<keyof StoredSession, string> = {
  id: 'id',
  businessId: 'business_id',
  chain: 'chain',
  token: 'token',
  family: 'family',
  address: 'address',
  shownAddress: 'shown_address',
  amountExpected: 'amount_expected',
  amountTolerated: 'amount_tolerated',
  amountReceived: 'amount_received',
  amountSettled: 'amount_settled',
  amountHeld: 'amount_held',
  heldUntil: 'held_until',
  amountCredited: 'amount_credited',
  localAmount: 'local_amount',
  localCurrency: 'local_currency',
  rate: 'rate',
  rateAt: 'rate_at',
  rateSource: 'rate_source',
  fxMarginPercent: 'fx_margin_percent',
  fee: 'fee',
  feeCurrency: 'fee_currency',
  status: 'status',
  exception: 'exception',
  requiredConfirmations: 'required_confirmations',
  finality: 'finality',
  label: 'label',
  reference: 'reference',
  metadata: 'metadata',
  linkId: 'link_id',
  returnUrl: 'return_url',
  webhookUrl: 'webhook_url',
  resolution: 'resolution',
  amountAccepted: 'amount_accepted',
  expiresAt: 'expires_at',
  paidAt: 'paid_at',
  payoutSkipped: 'payout_skipped',
  cancelledAt: 'cancelled_at',
  createdAt: 'created_at',
}
/** The select list of a session. */
export const sessionColumns = Object.entries(columns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ')

/** What a new session gives. */
const stored = [
  'id',
  'businessId',
  'chain',
  'token',
  'family',
  'address',
  'shownAddress',
  'amountExpected',
  'amountTolerated',
  'localAmount',
  'localCurrency',
  'rate',
  'rateAt',
  'rateSource',
  'fxMarginPercent',
  'fee',
  'feeCurrency',
  'requiredConfirmations',
  'finality',
  'label',
  'reference',
  'metadata',
  'linkId',
  'returnUrl',
  'webhookUrl',
  'createdAt',
  'expiresAt',
] as const satisfies (keyof StoredSession)[]
type GivenSession = Pick<StoredSession, (typeof stored)[number]>
/** What a session is given; how its address is shown follows from it. */
type NewSession = Omit<GivenSession, 'shownAddress'>

/** The rest, as the database's defaults are. */
const atFirst: Omit<StoredSession, keyof GivenSession> = {
  amountReceived: '0',
  amountSettled: '0',
  amountHeld: '0',
  heldUntil: null,
  amountCredited: null,
  status: 'pending',
  exception: 'none',
  resolution: null,
  amountAccepted: null,
  paidAt: null,
  payoutSkipped: null,
  cancelledAt: null,
}

const insert = prepared(
  `insert into pos_sessions (${stored.map((name) => columns[name])}) values (${stored.map((_, index) => `$${index + 1}`)})`,
)

/**
 * Stores a new session, with the transaction's next statement or its commit. @returns it as it is read later;
 * its decimals may be written shorter
 */
export function sendSession(tx: Tx, given: NewSession): StoredSession {
  const session = { ...given, shownAddress: shownAddress(given) }
  tx.send(
    insert,
    stored.map((name) => session[name]),
  )
  return { ...atFirst, ...session, rate: session.rate && storedRate(session.rate) }
}

/** The address and the memo as people read them; null where the stored form is the same. */
function shownAddress({ family, address }: Pick<StoredSession, 'family' | 'address'>): string | null {
  const { address: shown, memo } = paymentAddress(family as Family, address)
  const text = memo === undefined ? shown : `${shown} ${memo}`
  return text.toLowerCase() === address.toLowerCase() ? null : text
}

/**
 * Decimal places of the column. The middle of two rates may have more; all other decimals of a session have
 * fewer than their column holds.
 */
const rateScale = 12

/** As Postgres stores it: half a unit is rounded up. */
export function storedRate(rate: string): string {
  const decimal = parseDecimal(rate)
  if (!decimal || decimal.scale <= rateScale) return rate
  const unit = 10n ** BigInt(decimal.scale - rateScale)
  return formatUnits((2n * decimal.value + unit) / (2n * unit), rateScale)
}

const selectLocked = prepared(`select ${sessionColumns} from pos_sessions where id = $1 for update`)

/** Locks the row until the transaction ends. Null if it does not exist. */
export async function lockSession(tx: Tx, id: string): Promise<StoredSession | null> {
  const [row] = await tx.query<StoredSession>(selectLocked, [id])
  return row ?? null
}

/** The same for a session of this business. */
export async function lockOwnSession(tx: Tx, businessId: string, id: string): Promise<StoredSession | null> {
  const [row] = await tx.query<StoredSession>(
    `select ${sessionColumns} from pos_sessions where id = $1 and business_id = $2 for update`,
    [id, businessId],
  )
  return row ?? null
}

const updateSettled = prepared(
  `update pos_sessions set status = $2, exception = $3, amount_received = $4, amount_settled = $5, paid_at = $6, payout_skipped = $7,
     amount_held = $9, held_until = $10, expiry_asked_at = case when $8 then null else expiry_asked_at end
   where id = $1 and ((status, exception, amount_received, amount_settled, paid_at, payout_skipped, amount_held, held_until)
     is distinct from ($2::text, $3::text, $4::numeric, $5::numeric, $6::timestamptz, $7::text, $9::numeric, $10::timestamptz)
     or ($8::boolean and expiry_asked_at is not null))`,
)

/**
 * Stores the result of settling; skips an unchanged row.
 * @param waits its expiry is requested when its time is over, again if it was before
 */
export function saveSettled(tx: Tx, session: StoredSession, waits: boolean): void {
  const {
    id,
    status,
    exception,
    amountReceived,
    amountSettled,
    paidAt,
    payoutSkipped,
    amountHeld,
    heldUntil,
  } = session
  tx.send(updateSettled, [
    id,
    status,
    exception,
    amountReceived,
    amountSettled,
    paidAt,
    payoutSkipped,
    waits,
    amountHeld,
    heldUntil,
  ])
}
