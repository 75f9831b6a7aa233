import { formatUnits } from '../money/amount.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import {
  amountLimitOf,
  type Exceeded,
  exceeded,
  needsApproval,
  type SendLimits,
  type Wanted,
} from './limits.ts'
import { lockLimits, readLimits, type Subject } from './readLimits.ts'

export interface WantedOf extends Wanted {
  symbol: string
  /** Null: native coin. */
  contract: string | null
  /** Names of the fields in the request, where they differ. */
  fields?: Partial<Record<Exceeded['field'], string>>
}

export interface WantedFrom extends WantedOf {
  walletId: string
  /** Root of the key that requests it; null: a person requests it. */
  keyRootId: string | null
}

/**
 * Enforces the spending limits of the wallet and of the requesting API key. The locks last until the
 * transaction ends, which must store the transfer, so that concurrent transfers cannot exceed a limit
 * together.
 * @returns whether a second owner must approve it
 * @throws ApiError 403 `limit_exceeded`
 */
export async function requireWithinLimits(tx: Tx, wanted: WantedFrom): Promise<{ approval: boolean }> {
  const ofWallet = await requireWithinLimitsOf(tx, { kind: 'wallet', id: wanted.walletId }, wanted)
  const ofKey = await requireWithinKeyLimits(tx, wanted.keyRootId, wanted)
  return { approval: ofWallet.approval || ofKey.approval }
}

/**
 * Enforces the limits of a key: they bind its transfers, refunds and payouts together. @param rootId null: a
 * person requests it
 */
export const requireWithinKeyLimits = async (
  tx: Tx,
  rootId: string | null,
  wanted: WantedOf,
): Promise<{ approval: boolean }> =>
  rootId === null ? { approval: false } : requireWithinLimitsOf(tx, { kind: 'key', id: rootId }, wanted)

/**
 * Whether a stored refund or payout of a key goes beyond the limits of the key as they are now. The lock
 * lasts until the transaction ends.
 * @param outflowId does not count itself, as others that wait for a limit do not
 */
export async function exceedsKeyLimits(
  tx: Tx,
  rootId: string,
  wanted: WantedOf,
  outflowId: string,
): Promise<boolean> {
  const subject = { kind: 'key', id: rootId } as const
  await lockLimits(tx, subject)
  const limits = await readLimits(tx, subject)
  if (limits.amounts === null && limits.destinations === null) return false
  const { sent } = await sentInADay(tx, subject, wanted, outflowId)
  return exceeded(limits, wanted, sent) !== null
}

async function requireWithinLimitsOf(
  tx: Tx,
  subject: Subject,
  wanted: WantedOf,
): Promise<{ approval: boolean }> {
  await lockLimits(tx, subject)
  const limits = await readLimits(tx, subject)
  const { sent, alone } = await sentInADay(tx, subject, wanted)
  const beyond = exceeded(limits, wanted, sent)
  if (beyond) throw limitExceeded(subject, limits, wanted, sent, beyond)
  return { approval: needsApproval(limits, wanted, alone) }
}

/** What one of many wants to take beyond a limit, by its place, and how the caller reads it. */
interface ExceededByOne {
  at: number
  field: string
  message: string
}

/**
 * Compares what a key requests together with its limits: each with those of one, and with what those before
 * it take.
 */
export async function compareManyWithKeyLimits(
  tx: Queryable,
  rootId: string,
  wanted: readonly WantedOf[],
): Promise<{ exceeded: ExceededByOne[]; approval: boolean }> {
  const subject = { kind: 'key', id: rootId } as const
  const limits = await readLimits(tx, subject)
  if (limits.amounts === null && limits.destinations === null) return { exceeded: [], approval: false }
  const used = new Map<string, { sent: bigint; alone: bigint }>()
  const found: ExceededByOne[] = []
  let approval = false
  for (const [at, each] of wanted.entries()) {
    const asset = JSON.stringify([each.chain, each.symbol])
    const before = used.get(asset) ?? (await sentInADay(tx, subject, each))
    const beyond = exceeded(limits, each, before.sent)
    if (beyond) found.push({ at, ...textOfExceeded(subject, limits, each, before.sent, beyond) })
    approval ||= needsApproval(limits, each, before.alone)
    used.set(asset, { sent: before.sent + each.amount, alone: before.alone + each.amount })
  }
  return { exceeded: found, approval }
}

interface Sum {
  sent: string
  alone: string
}
const sumsOf = (amount: string) =>
  `coalesce(sum(${amount}), 0)::text as sent, coalesce(sum(${amount}) filter (where not needs_approval), 0)::text as alone`

/** SQL: what an intent takes of the token $3 from its sender: its amount, or what its calls spend. */
const spentSql = `case when calls is null then amount else (select sum((s->>'amount')::numeric) from jsonb_array_elements(spends) s
  where s->>'address' = from_address and s->'token'->>'contract' is not distinct from $3) end`

/**
 * Base units requested or signed in the last 24 hours, and all that are open, of any age: a transfer that
 * waits for an approval, its business or its chain is sent later than requested. Failed and expired ones do
 * not count. Those of a key include its refunds and payouts.
 * @param outflowId of an outflow that is stored: only others that count are summed
 * @returns their sum, and that of those without an approval
 */
async function sentInADay(
  tx: Queryable,
  { kind, id }: Subject,
  { chain, contract, symbol }: WantedOf,
  outflowId: string | null = null,
): Promise<{ sent: bigint; alone: bigint }> {
  const of =
    kind === 'wallet' ? 'wallet_id = $1' : 'api_key_id in (select id from api_keys where root_id = $1)'
  const transfers = await tx.query<Sum>(
    `select ${sumsOf(spentSql)} from intents
     where ${of} and signer in ('wallet', 'bridge') and chain = $2 and (calls is not null or contract is not distinct from $3)
       and (next_reconcile_at is not null or (updated_at > now() - interval '24 hours' and status not in ('failed', 'expired')
         and (created_at > now() - interval '24 hours' or exists (
           select 1 from intent_attempts t where t.intent_id = intents.id and t.signed_at > now() - interval '24 hours'))))`,
    [id, chain, contract],
  )
  const outflows =
    kind === 'wallet'
      ? []
      : await tx.query<Sum>(
          `select ${sumsOf('amount')} from outflows
           where asked_by_key in (select id from api_keys where root_id = $1) and chain = $2 and token = $3
             and status not in ('failed', 'cancelled', 'returned') and ($4::uuid is null or (id <> $4 and counted_at is not null))
             and (status <> 'completed' or greatest(counted_at, created_at, completed_at) > now() - interval '24 hours')`,
          [id, chain, symbol, outflowId],
        )
  const total = (field: keyof Sum) =>
    [...transfers, ...outflows].reduce((sum, row) => sum + BigInt(row[field]), 0n)
  return { sent: total('sent'), alone: total('alone') }
}

function limitExceeded(
  subject: Subject,
  limits: SendLimits,
  wanted: WantedOf,
  sent: bigint,
  beyond: Exceeded,
): ApiError {
  const { field, message } = textOfExceeded(subject, limits, wanted, sent, beyond)
  return new ApiError(403, 'limit_exceeded', `${field}: ${message}`, { fields: [{ field, message }] })
}

/** The field of the request, and why it is too much. */
function textOfExceeded(
  { kind }: Subject,
  limits: SendLimits,
  wanted: WantedOf,
  sent: bigint,
  { field, limit }: Exceeded,
): { field: string; message: string } {
  const { symbol, chain, decimals } = wanted
  const set = amountLimitOf(limits, wanted)
  const max = set === null || set === 'not listed' ? null : set
  const messages: Record<Exceeded['limit'], string> = {
    destinations: `the ${kind} sends only to the addresses${field === 'memo' ? ' with the memos' : ''} that an owner listed (destinations)`,
    tokens: `the ${kind} does not send ${symbol} on ${chain} (amounts)`,
    perTransfer: `the ${kind} sends ${max?.perTransfer} ${symbol} at most in one transfer on ${chain} (perTransfer)`,
    perDay: `the ${kind} sends ${max?.perDay} ${symbol} at most within 24 hours on ${chain}, and ${formatUnits(sent, decimals)} of them are used (perDay)`,
  }
  return { field: wanted.fields?.[field] ?? field, message: messages[limit] }
}
