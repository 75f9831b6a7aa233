import type { Db } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'

/** A session as it is stored once it was paid, without a payment or a booking. */
export interface Taking {
  at: Date
  /** Whole units of a token with 6 decimals. */
  amount: number
  chain?: string
  token?: string
  local?: { amount: string; currency: string }
  /** Confirmed, where it differs from what was requested; in base units. */
  settled?: bigint
  /** Of an excess that was credited; in base units. */
  credited?: bigint
  reference?: string
}

let addresses = 0

export async function makeTaking(db: Db, businessId: string, taking: Taking): Promise<string> {
  const { at, amount, chain = 'ethereum', token = 'USDC', local, settled, credited, reference } = taking
  const id = newId()
  const units = BigInt(Math.round(amount * 1_000_000))
  await db.query(
    `insert into pos_sessions (id, business_id, chain, token, family, address, amount_expected, amount_received, amount_settled, amount_credited,
       local_amount, local_currency, fx_margin_percent, fee, fee_currency, status, exception, resolution, amount_accepted, required_confirmations, reference,
       created_at, expires_at, paid_at)
     values ($1, $2, $3, $4, 'evm', $5, $6, $7, $7, $8, $9, $10, 0, 0, $4, 'paid', $11, case $11 when 'none' then null else 'accepted' end, case $11 when 'none' then null else $7::numeric end, 1, $12,
       $13::timestamptz - interval '1 minute', $13::timestamptz + interval '9 minutes', $13)`,
    [
      id,
      businessId,
      chain,
      token,
      `0x77${(++addresses).toString(16).padStart(38, '0')}`,
      units,
      settled ?? units,
      credited ?? null,
      local?.amount ?? null,
      local?.currency ?? null,
      settled !== undefined && settled !== units ? 'overpaid' : 'none',
      reference ?? null,
      at,
    ],
  )
  return id
}

/** A session that nobody paid. */
export async function makeUnpaid(
  db: Db,
  businessId: string,
  { at, cancelled = false }: { at: Date; cancelled?: boolean },
): Promise<string> {
  const id = await makeTaking(db, businessId, { at, amount: 1 })
  await db.query(
    `update pos_sessions set paid_at = null, amount_received = 0, amount_settled = 0, expires_at = $2, status = $3,
       cancelled_at = case $3 when 'cancelled' then $2::timestamptz end where id = $1`,
    [id, at, cancelled ? 'cancelled' : 'expired'],
  )
  return id
}
