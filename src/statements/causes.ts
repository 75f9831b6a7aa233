import { shownForm } from '../chains/codecs.ts'
import { explorerOf } from '../chains/explorers.ts'
import { assetsOf, type Chain, knownChain } from '../chains/registry.ts'
import { formatUnits, parseDecimal } from '../money/amount.ts'
import { currencyDecimals } from '../money/currencyDecimals.ts'
import type { Queryable } from '../platform/database/db.ts'

/** An amount of money that is no token: what a payment or a payout was worth. */
export interface Fiat {
  amount: string
  currency: string
  /** Units of the currency for one token. */
  rate: string
}

/** What is known of what caused an entry. */
export interface CauseFacts {
  sessionId: string | null
  /** The reference that the business gave it. */
  merchantReference: string | null
  transaction: { chain: string; txId: string; url: string | null } | null
  fiat: Fiat | null
  /** The bank or the address that money went to. */
  payee: string | null
  /** Of an outflow, in base units of its token; what it takes is all of them together. */
  parts: CausePart[]
}

export interface CausePart {
  part: 'fee' | 'margin' | 'rounding' | 'paid'
  amount: bigint
  /** The same in the currency of the bank or wallet. */
  fiat: { amount: string; currency: string } | null
}

export interface CausedEntry {
  cause: string
  reference: string
}

export const noFacts: CauseFacts = {
  sessionId: null,
  merchantReference: null,
  transaction: null,
  fiat: null,
  payee: null,
  parts: [],
}

/** Facts of the causes of a business's entries, by `causeKey`; causes without any are left out. */
export async function readCauses(
  ctx: { chains: readonly Chain[] },
  tx: Queryable,
  businessId: string,
  entries: readonly CausedEntry[],
): Promise<Map<string, CauseFacts>> {
  const idsOf = (...kinds: string[]) => [
    ...new Set(entries.flatMap(({ cause, reference }) => (kinds.includes(cause) ? [reference] : []))),
  ]
  return new Map([
    ...(await readPayments(ctx, tx, businessId, idsOf('session_payment'))),
    ...(await readOutflows(ctx, tx, businessId, idsOf('payout', 'refund'))),
  ])
}

/** Ids of payments and outflows are unique together. */
export const causeKey = ({ reference }: CausedEntry): string => reference

interface PaymentRow {
  id: string
  sessionId: string
  merchantReference: string | null
  chain: string
  token: string | null
  txId: string
  amount: string
  expected: string
  sessionChain: string
  sessionToken: string
  localAmount: string | null
  localCurrency: string | null
  rate: string | null
}

async function readPayments(
  ctx: { chains: readonly Chain[] },
  tx: Queryable,
  businessId: string,
  ids: readonly string[],
): Promise<[string, CauseFacts][]> {
  if (ids.length === 0) return []
  const rows = await tx.query<PaymentRow>(
    `select d.id, s.id as "sessionId", s.reference as "merchantReference", t.chain, t.token, t.tx_id as "txId", t.amount::text,
       s.amount_expected::text as expected, s.chain as "sessionChain", s.token as "sessionToken", trim_scale(s.local_amount)::text as "localAmount", s.local_currency as "localCurrency", trim_scale(s.rate)::text as rate
     from detections d join transfers t on t.id = d.transfer_id join session_payments p on p.detection_id = d.id
       join pos_sessions s on s.id = p.session_id
     where d.id = any($1::uuid[]) and s.business_id = $2`,
    [ids, businessId],
  )
  return rows.map((row) => [
    row.id,
    {
      ...noFacts,
      sessionId: row.sessionId,
      merchantReference: row.merchantReference,
      transaction: transactionOf(ctx, row.chain, row.txId),
      fiat: worthOf(ctx, row),
    },
  ])
}

/**
 * What a payment was worth: its share of the price that the session was made with, which has the margin in
 * it. Without a price, or in another token, it is the amount at the session's rate. Rounded down to the
 * currency's unit.
 */
export function worthOf(
  ctx: { chains: readonly Chain[] },
  row: Omit<PaymentRow, 'id' | 'sessionId' | 'merchantReference' | 'txId'>,
): Fiat | null {
  const { localCurrency: currency, localAmount, rate: text } = row
  const decimals = decimalsOf(ctx, row.chain, row.token)
  const rate = parseDecimal(text ?? '')
  if (currency === null || text === null || !rate || decimals === null) return null
  const isRequested = row.chain === row.sessionChain && row.token === row.sessionToken
  const price = isRequested ? parseDecimal(localAmount ?? '') : null
  if (localAmount !== null && price && row.amount === row.expected)
    return { amount: localAmount, currency, rate: text }
  const places = currencyDecimals(currency)
  if (price) {
    const share =
      (price.value * 10n ** BigInt(places) * BigInt(row.amount)) /
      (10n ** BigInt(price.scale) * BigInt(row.expected))
    return { amount: formatUnits(share, places), currency, rate: text }
  }
  const worth =
    (BigInt(row.amount) * rate.value * 10n ** BigInt(places)) / 10n ** BigInt(decimals + rate.scale)
  return { amount: formatUnits(worth, places), currency, rate: text }
}

interface OutflowRow {
  id: string
  sessionId: string | null
  merchantReference: string | null
  chain: string
  amount: string
  fee: string
  margin: string
  rounding: string
  currency: string | null
  localAmount: string | null
  localFee: string | null
  rate: string | null
  toChain: string | null
  toToken: string | null
  toAddress: string | null
  toAmount: string | null
  name: string | null
  bankName: string | null
  txId: string | null
}

async function readOutflows(
  ctx: { chains: readonly Chain[] },
  tx: Queryable,
  businessId: string,
  ids: readonly string[],
): Promise<[string, CauseFacts][]> {
  if (ids.length === 0) return []
  const rows = await tx.query<OutflowRow>(
    `select o.id, case when o.kind = 'refund' then o.session_id end as "sessionId", o.reference as "merchantReference", o.chain,
       o.amount::text, o.fee::text, o.margin::text, o.rounding::text,
       o.currency, o.local_amount::text as "localAmount", trim_scale(o.local_fee)::text as "localFee", trim_scale(o.rate)::text as rate,
       o.to_chain as "toChain", o.to_token as "toToken", o.to_address as "toAddress", o.to_amount::text as "toAmount",
       d.name, d.bank_name as "bankName", coalesce(o.ended_tx_id, i.tx_id) as "txId"
     from outflows o left join payout_destinations d on d.id = o.destination_id and d.business_id = $2
       left join intents i on i.id = o.intent_id and i.purpose = 'payout'
     where o.id = any($1::uuid[]) and o.business_id = $2`,
    [ids, businessId],
  )
  return rows.map((row) => [
    row.id,
    {
      sessionId: row.sessionId,
      merchantReference: row.merchantReference,
      transaction: row.txId === null ? null : transactionOf(ctx, row.toChain ?? row.chain, row.txId),
      fiat: fiatOf(row),
      payee: row.name ?? row.bankName ?? (row.toAddress && shownForm(row.toAddress)),
      parts: partsOf(ctx, row),
    },
  ])
}

const fiatOf = ({ localAmount, currency, rate }: OutflowRow): Fiat | null =>
  localAmount === null || currency === null || rate === null ? null : { amount: localAmount, currency, rate }

function partsOf(ctx: { chains: readonly Chain[] }, row: OutflowRow): CausePart[] {
  const [amount, fee, margin, rounding] = [row.amount, row.fee, row.margin, row.rounding].map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  const { currency, localFee } = row
  const parts: CausePart[] = [
    {
      part: 'fee',
      amount: fee,
      fiat: localFee !== null && currency !== null ? { amount: localFee, currency } : null,
    },
    { part: 'margin', amount: margin, fiat: null },
    { part: 'rounding', amount: rounding, fiat: null },
    { part: 'paid', amount: amount - fee - margin - rounding, fiat: arrived(ctx, row) },
  ]
  return parts.filter((each) => each.amount !== 0n)
}

function arrived(ctx: { chains: readonly Chain[] }, row: OutflowRow): CausePart['fiat'] {
  const { localAmount, currency, toChain, toToken, toAmount } = row
  if (localAmount !== null && currency !== null) return { amount: localAmount, currency }
  const decimals = toChain === null ? null : decimalsOf(ctx, toChain, toToken)
  if (toToken === null || toAmount === null || decimals === null) return null
  return { amount: formatUnits(BigInt(toAmount), decimals), currency: toToken }
}

const chainOf = ({ chains }: { chains: readonly Chain[] }, name: string): Chain | undefined =>
  chains.find((each) => each.name === name) ?? knownChain(name)

function decimalsOf(ctx: { chains: readonly Chain[] }, chain: string, token: string | null): number | null {
  const known = chainOf(ctx, chain)
  return (known && assetsOf(known).find(({ symbol }) => symbol === token)?.decimals) ?? null
}

function transactionOf(
  ctx: { chains: readonly Chain[] },
  chain: string,
  txId: string,
): NonNullable<CauseFacts['transaction']> {
  const known = chainOf(ctx, chain)
  const explorer = known ? explorerOf(known) : null
  return { chain, txId, url: explorer?.transaction.replace('{id}', encodeURIComponent(txId)) ?? null }
}
