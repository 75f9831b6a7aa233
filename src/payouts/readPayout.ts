import type { ConfiguredChain, Token } from '../chains/registry.ts'
import { requireAmount } from '../chains/requireAmount.ts'
import { requireChain, requireToken } from '../chains/requireChain.ts'
import type { DestinationRow } from '../destinations/destination.ts'
import { fingerprintOf } from '../destinations/fingerprint.ts'
import { findDestination, findDestinationByFingerprint } from '../destinations/getDestination.ts'
import {
  type CheckedDestination,
  type ReadContext,
  readDestination,
  type WantedDestination,
} from '../destinations/readDestination.ts'
import type { Db } from '../platform/database/db.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import { inField } from './inField.ts'

/** The fields of a request for a payout. */
export interface PayoutRequest {
  amount: string
  source: { chain: string; token: string }
  destination: Omit<WantedDestination, 'name'> & { id?: string }
  reference?: string
  metadata?: Record<string, unknown>
}

/** What is taken. */
export interface PayoutSource {
  chain: ConfiguredChain
  token: Token
  /** Base units. */
  amount: bigint
}

/** Where it goes: a saved destination, or a new one. */
export type PayoutTarget = { saved: DestinationRow } | { fresh: CheckedDestination; fingerprint: Buffer }

export interface ReadPayoutContext extends ReadContext {
  db: Db
  requestKey(): Promise<Secret>
}

/** @throws ApiError 400 naming `source.chain`, `source.token` or `amount` */
export function readSource(
  ctx: Pick<ReadContext, 'chains'>,
  { amount, source }: PayoutRequest,
): PayoutSource {
  const chain = requireChain(ctx, source.chain, { field: 'source.chain' })
  const token = requireToken(chain, source.token, 'source.token')
  return { chain, token, amount: requireAmount(amount, token.decimals, 'amount') }
}

/** What a request names: the id of a saved destination, or a bank account or wallet that may be saved. */
export type NamedTarget = { id: string } | { fresh: CheckedDestination; fingerprint: Buffer }

/**
 * Finds the destination of a request among the saved ones, or checks a new one.
 * @throws ApiError 400 naming the field; 404 for an unknown `id`; 422 `destination_archived`,
 * `recipient_is_token`, `recipient_without_key`; 503 `banks_unavailable`
 */
export async function readTarget(
  ctx: ReadPayoutContext,
  businessId: string,
  destination: PayoutRequest['destination'],
): Promise<PayoutTarget> {
  const named = await readNamed(ctx, businessId, destination)
  if ('id' in named) return savedTarget(await findDestination(ctx.db, businessId, named.id))
  const saved = await findDestinationByFingerprint(ctx.db, businessId, named.fingerprint)
  if (!saved) return named
  requireSameCurrency(saved, named.fresh)
  return { saved }
}

/**
 * An account is saved once, in one currency: a request that names another means something else.
 * @throws ApiError 400 naming `destination.currency`
 */
export function requireSameCurrency(
  { id, currency }: Pick<DestinationRow, 'id' | 'currency'>,
  fresh: CheckedDestination,
): void {
  if (fresh.kind === 'bank' && fresh.currency !== currency)
    throw invalidBody({
      field: 'destination.currency',
      message: `is ${fresh.currency}, and the account is saved in ${currency}, as the destination ${id}: archive that one first`,
      code: 'not_possible',
    })
}

/**
 * The part of `readTarget` that needs no database.
 * @throws ApiError as `readTarget`
 */
export async function readNamed(
  ctx: Omit<ReadPayoutContext, 'db'>,
  businessId: string,
  { id, ...inline }: PayoutRequest['destination'],
): Promise<NamedTarget> {
  if (id === undefined) {
    const fresh = await inField('destination', () => readDestination(ctx, inline))
    return { fresh, fingerprint: fingerprintOf(await ctx.requestKey(), businessId, fresh) }
  }
  const more = Object.keys(inline)
  if (more.length > 0)
    throw invalidBody(
      ...['id', ...more].map((field) => ({
        field: `destination.${field}`,
        message: 'give the id of a saved one, or its fields',
        code: 'not_both' as const,
      })),
    )
  return { id }
}

/** @throws ApiError 422 `destination_archived` */
export function savedTarget(saved: DestinationRow): PayoutTarget {
  if (saved.status !== 'archived') return { saved }
  const message = 'is archived: nothing is paid to it'
  throw new ApiError(422, 'destination_archived', `destination.id: ${message}`, {
    fields: [{ field: 'destination.id', message }],
  })
}
