import type { Family } from '../../chains/chain.ts'
import { normalForms, transactionId } from '../../chains/codecs.ts'
import { type Chain, chainNames, knownChain } from '../../chains/registry.ts'
import { parseDecimal, parseUnits } from '../../money/amount.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { searchedText } from './searchedText.ts'

/**
 * What a text finds, of which one part is enough: a part of the id, address, memo, reference or label; the whole
 * reference, if it is short; the amount in the token or the local currency; the transaction of a payment, or its
 * beginning.
 */
export async function searchParts(
  { chains }: { chains: readonly Chain[] },
  db: Queryable,
  businessId: string,
  text: string,
): Promise<SearchPart[]> {
  const paid = await sessionsPaidBy(db, businessId, text)
  return [
    ...textParts(text),
    ...amountParts({ chains }, text),
    ...(paid.length > 0 ? [{ condition: (to: string) => `id = any(${to}::uuid[])`, value: paid }] : []),
  ]
}

/** A condition on a row, by the placeholder of its value. */
export interface SearchPart {
  condition: (placeholder: string) => string
  value: unknown
  /** The condition is that `searchedText` has this part. */
  isText?: true
}

/** Of fewer letters and digits, only a whole reference is found. */
const minPart = 3

function textParts(text: string): SearchPart[] {
  const isShort = (text.match(/[\p{L}\p{N}]/gu) ?? []).length < minPart
  if (isShort) return [{ condition: (to) => `reference = ${to}`, value: text }]
  // An address may be stored in another form than people read.
  const forms = [text, ...normalForms(text).map(({ address }) => address)].map((form) => form.toLowerCase())
  return [...new Set(forms)].map((value) => ({
    condition: (to) => `strpos(${searchedText}, lower(${to})) > 0`,
    value,
    isText: true,
  }))
}

/** `25`, `25.00` and `1,000.5` find what was requested in the token, or in the local currency. */
function amountParts({ chains }: { chains: readonly Chain[] }, text: string): SearchPart[] {
  const amount = text.replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, '')
  const decimal = /^\d{1,30}(?:\.\d{1,18})?$/.test(amount) ? parseDecimal(amount) : null
  if (!decimal || decimal.value === 0n) return []
  /** By units and token: both, and the chains on which they are this amount. */
  const same = new Map<string, string[]>()
  for (const { name, tokens } of chains)
    for (const { symbol, decimals } of tokens) {
      const units = parseUnits(amount, decimals)?.toString()
      const key = `${units} ${symbol}`
      if (units !== undefined) same.set(key, [...(same.get(key) ?? [units, symbol]), name])
    }
  return [
    ...[...same.values()].map((value) => ({
      // Each column by itself: Postgres knows how many rows have a value of it, and sorts none where many have.
      condition: (to: string) =>
        `amount_expected = (${to}::text[])[1]::numeric and token = (${to}::text[])[2] and chain = any((${to}::text[])[3:])`,
      value,
    })),
    { condition: (to) => `local_amount = ${to}::numeric`, value: amount },
  ]
}

/** So many characters of a transaction's id are enough, as block explorers shorten them. */
const shortestHash = 8
/** A beginning finds no more than so many. */
const maxTransactions = 100

/** The business's sessions that a transaction paid, on any chain, by its id or the beginning of it. */
async function sessionsPaidBy(db: Queryable, businessId: string, text: string): Promise<string[]> {
  const whole = chainNames.flatMap((chain) => {
    const id = transactionId(familyOf(chain), text)
    return id === null ? [] : [{ chain, id }]
  })
  if (whole.length > 0)
    return paidIn(db, businessId, 't.chain = any($2::text[]) and t.tx_id = any($3::text[])', [
      whole.map(({ chain }) => chain),
      [...new Set(whole.map(({ id }) => id))],
    ])
  const [, start] = /^((?:0x)?[0-9a-f]{8,63})(?:…|\.\.\.)?$/i.exec(text) ?? []
  if (start === undefined || start.length < shortestHash) return []
  // Ids in hexadecimal digits only: in any collation those with this beginning are between these two.
  const from = start.toLowerCase()
  return paidIn(
    db,
    businessId,
    't.chain = any($2::text[]) and t.tx_id >= $3 and t.tx_id < $4 and starts_with(t.tx_id, $3)',
    [chainNames, from, `${from}g`],
  )
}

const paidIn = async (
  db: Queryable,
  businessId: string,
  condition: string,
  values: unknown[],
): Promise<string[]> =>
  (
    await db.query<{ id: string }>(
      `select distinct d.subject_id as id from transfers t join detections d on d.transfer_id = t.id join pos_sessions s on s.id = d.subject_id
       where ${condition} and s.business_id = $1 limit ${maxTransactions}`,
      [businessId, ...values],
    )
  ).map(({ id }) => id)

function familyOf(name: string): Family {
  const chain = knownChain(name)
  if (!chain) throw new Error(`${name} is not a chain`)
  return chain.family
}
