import { requireFreshFactor } from '../../accounts/freshFactor.ts'
import { getBusiness } from '../../businesses/business.ts'
import type { Family } from '../../chains/chain.ts'
import { refuseUnopened, type UnopenedContext } from '../../chains/refuseUnopened.ts'
import { findDestinations, findDestinationsByFingerprint } from '../../destinations/getDestination.ts'
import type { CheckedDestination } from '../../destinations/readDestination.ts'
import { ownAddress, ownAddresses } from '../../destinations/refuseOwnAddress.ts'
import { invalidBody } from '../../platform/errors.ts'
import { requireMetadata } from '../../platform/http/metadata.ts'
import {
  type CreatePayoutContext,
  type PayoutCaller,
  requireLegalProfile,
  requireSaves,
} from '../createPayout.ts'
import { type PricedPayout, pricePayout } from '../pricePayout.ts'
import {
  type NamedTarget,
  type PayoutRequest,
  type PayoutSource,
  type PayoutTarget,
  readNamed,
  readSource,
  requireSameCurrency,
  savedTarget,
} from '../readPayout.ts'
import { collected, type Mistake } from './mistakes.ts'

export interface BatchRequest {
  reference?: string
  payouts: readonly PayoutRequest[]
}

/** An entry without a mistake of its own. */
export interface PlannedPayout {
  at: number
  request: PayoutRequest
  source: PayoutSource
  target: PayoutTarget
  priced: PricedPayout
}

export type BatchContext = CreatePayoutContext & UnopenedContext

/**
 * Checks and prices every entry of a batch as one payout is, and asks the database once for all of them.
 * @throws ApiError 403, 422 and 503 for what is no mistake of an entry
 */
export async function readBatch(
  ctx: BatchContext,
  caller: PayoutCaller,
  { payouts }: BatchRequest,
): Promise<{ planned: PlannedPayout[]; found: Mistake[] }> {
  const found: Mistake[] = []
  const named: { at: number; request: PayoutRequest; source: PayoutSource | null; name: NamedTarget }[] = []
  for (const [at, request] of payouts.entries()) {
    await collected(found, at, () => requireMetadata(request.metadata))
    const source = await collected(found, at, () => readSource(ctx, request))
    const name = await collected(found, at, () => readNamed(ctx, caller.businessId, request.destination))
    if (name) named.push({ at, request, source, name })
  }
  const targets = await findTargets(
    ctx,
    caller.businessId,
    named.map(({ name }) => name),
  )
  const known = named.map((each, index) => ({ ...each, target: targets[index] ?? null }))
  const checked: (Omit<PlannedPayout, 'priced' | 'source'> & { source: PayoutSource | null })[] = []
  const earlier = new Map<string, EarlierAccount>()
  for (const { at, request, source, name, target: find } of known) {
    const target = await collected(found, at, () => {
      if (find === null)
        throw invalidBody({
          field: 'destination.id',
          message: 'is not the id of a saved destination',
          code: 'unknown_id',
        })
      if ('fresh' in name) {
        if ('saved' in find) requireSameCurrency(find.saved, name.fresh)
        else requireSameAccount(earlier, at, name)
      }
      return 'saved' in find ? savedTarget(find.saved) : find
    })
    if (target) checked.push({ at, request, source, target })
  }
  await refuseFresh(ctx, caller, checked, found)
  const terms = await getBusiness(ctx, caller.businessId)
  const planned: PlannedPayout[] = []
  for (const { source, ...each } of checked) {
    if (!source) continue
    const priced = await collected(found, each.at, () => pricePayout(ctx, source, each.target, terms))
    if (priced) planned.push({ ...each, source, priced })
  }
  if (planned.some(({ priced }) => priced.bank)) await requireLegalProfile(ctx.db, caller.businessId)
  return { planned, found }
}

/** Null for an id that is not there. */
async function findTargets(
  ctx: Pick<BatchContext, 'db'>,
  businessId: string,
  names: readonly NamedTarget[],
): Promise<(PayoutTarget | null)[]> {
  const ids = names.flatMap((name) => ('id' in name ? [name.id.toLowerCase()] : []))
  const fingerprints = names.flatMap((name) => ('id' in name ? [] : [name.fingerprint]))
  const byId = ids.length > 0 ? await findDestinations(ctx.db, businessId, ids) : new Map()
  const byFingerprint =
    fingerprints.length > 0
      ? await findDestinationsByFingerprint(ctx.db, businessId, fingerprints)
      : new Map()
  return names.map((name) => {
    const saved = 'id' in name ? byId.get(name.id.toLowerCase()) : byFingerprint.get(keyOf(name))
    if (saved) return { saved }
    return 'id' in name ? null : name
  })
}

/** By which entries with the same new destination find each other. */
export const keyOf = ({ fingerprint }: { fingerprint: Buffer }): string => fingerprint.toString('hex')

interface EarlierAccount {
  at: number
  fresh: CheckedDestination
}

/**
 * A new account of several entries is saved once, so they must agree about it.
 * @throws ApiError 400 naming `destination.currency` or `destination.accountName`
 */
function requireSameAccount(
  earlier: Map<string, EarlierAccount>,
  at: number,
  name: Extract<NamedTarget, { fresh: unknown }>,
): void {
  const { fresh } = name
  const first = earlier.get(keyOf(name))
  if (!first) earlier.set(keyOf(name), { at, fresh })
  if (fresh.kind !== 'bank' || first?.fresh.kind !== 'bank') return
  const differs = (field: string) =>
    invalidBody({
      field: `destination.${field}`,
      message: `is another one than that of the same account in payouts.${first.at}`,
      code: 'not_possible',
    })
  if (fresh.currency !== first.fresh.currency) throw differs('currency')
  if (fresh.account.holder !== first.fresh.account.holder) throw differs('accountName')
}

/** Questions to a chain at once. */
const atOnce = 8

/**
 * New destinations: whether the caller may save them, and what only the database and the chains know of their
 * addresses.
 */
async function refuseFresh(
  ctx: BatchContext,
  caller: PayoutCaller,
  checked: readonly { at: number; target: PayoutTarget; request: PayoutRequest }[],
  found: Mistake[],
): Promise<void> {
  const fresh = checked.flatMap(({ at, target, request }) =>
    'fresh' in target ? [{ at, request, destination: target.fresh }] : [],
  )
  if (fresh.length === 0) return
  requireSaves(caller)
  requireFreshFactor(caller)
  const wallets = fresh.flatMap(({ at, request, destination }) =>
    destination.kind === 'wallet'
      ? [
          {
            at,
            text: request.destination.address,
            family: destination.chain.family,
            address: destination.address,
          },
        ]
      : [],
  )
  for (const family of new Set(wallets.map((each) => each.family)))
    await refuseOwn(ctx, family, wallets, found)
  const asked = new Map(wallets.map((each) => [each.address, each]))
  const waiting = [...asked.values()]
  const ask = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { at, text } = next
      await collected(found, at, () => refuseUnopened(ctx, text, 'destination.address'))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
}

async function refuseOwn(
  ctx: Pick<BatchContext, 'db'>,
  family: Family,
  wallets: readonly { at: number; family: Family; address: string }[],
  found: Mistake[],
): Promise<void> {
  const here = wallets.filter((each) => each.family === family)
  const own = await ownAddresses(
    ctx.db,
    family,
    here.map(({ address }) => address),
  )
  for (const { at, address } of here)
    if (own.has(address))
      await collected(found, at, () => {
        throw ownAddress('destination.address')
      })
}
