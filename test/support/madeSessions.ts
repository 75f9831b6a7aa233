import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { sessionModel } from '../../src/sessions/model.ts'
import { addWatch } from '../../src/watches/addWatch.ts'

/** Sessions on ethereum in USDC, and payments to them as the indexer stores them, without a chain. */

export interface MadeSession {
  id: string
  address: string
}

let addresses = 0

/** What a session may have been promised. */
type Terms = Partial<
  Record<
    | 'amountTolerated'
    | 'localAmount'
    | 'localCurrency'
    | 'rate'
    | 'rateSource'
    | 'fxMarginPercent'
    | 'fee'
    | 'feeCurrency',
    string
  >
> & {
  rateAt?: Date
}

export async function makeSession(
  db: ModelDb,
  businessId: string,
  amountExpected: bigint,
  terms: Terms = {},
): Promise<MadeSession> {
  const fee = terms.fee ?? (await feeOf(db, businessId, amountExpected))
  const address = `0x${(++addresses).toString(16).padStart(40, '0')}`
  const { id } = await sessionModel(db.sequelize).create({
    id: newId(),
    businessId,
    chain: 'ethereum',
    token: 'USDC',
    family: 'evm',
    address,
    amountExpected: amountExpected.toString(),
    localAmount: null,
    localCurrency: null,
    rate: null,
    fxMarginPercent: '0',
    feeCurrency: 'USDC',
    requiredConfirmations: 1,
    label: null,
    reference: null,
    metadata: null,
    expiresAt: new Date(Date.now() + 600_000),
    ...terms,
    fee,
  })
  await db.tx(async (tx) =>
    addWatch(tx, {
      family: 'evm',
      address,
      businessId,
      purpose: 'session',
      subjectId: id,
      finality: { policyId: null, amount: null },
    }),
  )
  return { id, address }
}

/** As the api prices a session without a local currency. */
async function feeOf(db: ModelDb, businessId: string, amount: bigint): Promise<string> {
  const [business] = await db.query<{ fee: string }>(
    'select trim_scale(ceil($2::numeric * fee_percent / 100) / 1000000)::text as fee from businesses where id = $1',
    [businessId, amount.toString()],
  )
  return business?.fee ?? '0'
}

/** @returns the id of its detection */
export async function makePayment(
  db: ModelDb,
  session: MadeSession,
  {
    amount,
    token = 'USDC',
    at = new Date(),
    status = 'confirmed',
  }: { amount: bigint; token?: string; at?: Date; status?: 'seen' | 'confirmed' },
): Promise<string> {
  const [transfer, detection] = [newId(), newId()]
  await db.query(
    `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, token, from_address, to_address, amount)
     values ($1::uuid, 'ethereum', 1, $1::uuid::text, $2, $1::uuid::text, 'log:0', $3, '0x00000000000000000000000000000000000000aa', $4, $5)`,
    [transfer, at, token, session.address, amount.toString()],
  )
  await db.query(
    `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status, confirmed_at, needs_agreement, direction)
     select $1, $2, id, business_id, subject_id, 'ethereum', 1, 1, $4, case $4 when 'confirmed' then now() end, false, 'in'
     from watches where subject_id = $3`,
    [detection, transfer, session.id, status],
  )
  return detection
}

/** A fork takes the payment away. */
export const takeAway = (db: ModelDb, detection: string) =>
  db.query("update detections set status = 'reverted', confirmed_at = null where id = $1", [detection])

/** A block with it is confirmed: for the first time, or again after a fork. */
export const confirm = (db: ModelDb, detection: string) =>
  db.query(
    `update detections set generation = generation + case status when 'reverted' then 1 else 0 end, status = 'confirmed', confirmed_at = now()
     where id = $1`,
    [detection],
  )
