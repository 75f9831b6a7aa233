import type { DecidedSetting } from '../approvals/approvalSources.ts'
import { changedMeanwhile } from '../approvals/decidedSetting.ts'
import {
  type AutopayoutTarget,
  loosens,
  needsSecondOwner,
  requestSetting,
  type WantedSetting,
} from '../approvals/protections.ts'
import type { WaitingChange } from '../approvals/requestApproval.ts'
import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { chainUnavailable, tokenUnavailable } from '../chains/requireChain.ts'
import { targetNeedsApproval } from '../destinations/targetApproval.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import { partnerNotConfigured } from '../partnerPayments/partnerNotConfigured.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import type { FieldCode } from '../platform/fieldCodes.ts'
import { isUuid } from '../platform/ids.ts'
import { sameJson } from '../platform/sameJson.ts'
import { type AutopayoutProblem, problemOf, type ServingContext } from './autopayoutProblem.ts'
import { type AutopayoutRow, keyOf, readAutopayout } from './autopayoutRows.ts'

interface Context extends ServingContext {
  db: Db
  chains: readonly ConfiguredChain[]
}

/** Autopayout of one token on one chain. */
export interface AutopayoutSetting {
  chain: string
  token: string
  enabled: boolean
  /** Null only where it is off. */
  destinationId: string | null
}

export interface AutopayoutView {
  /** New targets that wait for a second owner. */
  waitingApproval?: WaitingChange
  networks: {
    chain: string
    tokens: (Omit<AutopayoutSetting, 'chain'> & { problem: AutopayoutProblem | null })[]
  }[]
}

/** A business's autopayout, for everything that the deployment offers. It is off by default. */
export async function getAutopayout(ctx: Context, businessId: string): Promise<AutopayoutView> {
  const { rows, hasProfile } = await readAutopayout(ctx.db, businessId)
  const view = (row: AutopayoutRow | undefined, token: string) => ({
    token,
    enabled: row?.enabled ?? false,
    destinationId: row?.destination?.id ?? null,
    problem: row?.destination ? problemOf(ctx, row.destination, token, hasProfile) : null,
  })
  return {
    networks: ctx.chains.map(({ name, tokens }) => ({
      chain: name,
      tokens: tokens.map(({ symbol }) => view(rows.get(keyOf(name, symbol)), symbol)),
    })),
  }
}

/**
 * Sets which payments are paid out by themselves, and where to. A token that is not listed is off and keeps
 * its destination. New targets wait for a second owner where payouts need an approval
 * (`targetNeedsApproval`). Repeating it changes nothing.
 * @throws ApiError 400 naming every wrong field: not offered, listed twice, on without a destination, a
 * destination that is not one of the business, is
 *   archived, or cannot be paid in this token
 */
export async function setAutopayout(
  ctx: Context,
  actor: Actor,
  businessId: string,
  payouts: readonly AutopayoutSetting[],
): Promise<AutopayoutView> {
  const waitingApproval = await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, businessId)
    const wanted = await checked(ctx, tx, businessId, payouts)
    const { rows } = await readAutopayout(tx, businessId)
    const changes = ctx.chains
      .flatMap(({ name, tokens }) => tokens.map(({ symbol }) => keyOf(name, symbol)))
      .map((key) => {
        const before = targetOf(rows, key)
        return { key, before, after: wanted.get(key) ?? { ...before, enabled: false } }
      })
      .filter(
        ({ before, after }) =>
          before.enabled !== after.enabled || before.destinationId !== after.destinationId,
      )
    const looser = changes.filter(({ before, after }) => loosens.autopayout(before, after))
    const waits =
      looser.length > 0 &&
      (await needsSecondOwner(tx, businessId, actor)) &&
      (await targetNeedsApproval(tx, businessId))
    await store(tx, actor, businessId, waits ? changes.filter((each) => !looser.includes(each)) : changes)
    return waits
      ? requestSetting(tx, actor, businessId, {
          setting: 'autopayout',
          before: side(looser, 'before'),
          after: side(looser, 'after'),
        })
      : null
  })
  return { ...(await getAutopayout(ctx, businessId)), ...(waitingApproval && { waitingApproval }) }
}

/** What is set for an asset, by its key. */
interface Change {
  key: string
  before: AutopayoutTarget
  after: AutopayoutTarget
}

function targetOf(rows: ReadonlyMap<string, AutopayoutRow>, key: string): AutopayoutTarget {
  const row = rows.get(key)
  return { enabled: row?.enabled ?? false, destinationId: row?.destination?.id ?? null }
}

const side = (changes: readonly Change[], of: 'before' | 'after') =>
  Object.fromEntries(changes.map((each) => [each.key, each[of]]))

async function store(tx: Tx, actor: Actor, businessId: string, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const assets = changes.map(({ key }) => key.split(':'))
  await tx.query(
    `insert into autopayout_settings (business_id, chain, token, enabled, destination_id)
     select $1, * from unnest($2::text[], $3::text[], $4::boolean[], $5::uuid[])
     on conflict (business_id, chain, token) do update set enabled = excluded.enabled, destination_id = excluded.destination_id, updated_at = now()`,
    [
      businessId,
      assets.map(([chain]) => chain),
      assets.map(([, token]) => token),
      changes.map(({ after }) => after.enabled),
      changes.map(({ after }) => after.destinationId),
    ],
  )
  const [before, after] = [side(changes, 'before'), side(changes, 'after')]
  await recordAudit(tx, actor, {
    businessId,
    action: 'autopayout.changed',
    target: businessId,
    before,
    after,
  })
}

/** The effect of a decision about new targets. */
export const decidedAutopayout: DecidedSetting = {
  async whyOver(tx, { businessId, wanted }) {
    const { before, after } = wanted as WantedSetting<Record<string, AutopayoutTarget>>
    const { rows } = await readAutopayout(tx, businessId)
    const { destinations } = await readDestinations(
      tx,
      businessId,
      Object.values(after).flatMap(({ destinationId }) => destinationId ?? []),
    )
    if ([...destinations.values()].some(({ isArchived }) => isArchived))
      return 'A destination is archived: ask for it again with another one'
    return Object.entries(before).every(([key, target]) => sameJson(targetOf(rows, key), target))
      ? null
      : changedMeanwhile
  },
  async approved(tx, { businessId, wanted }, actor) {
    const { before, after } = wanted as WantedSetting<Record<string, AutopayoutTarget>>
    const changes = Object.entries(after).map(([key, target]) => ({
      key,
      before: before[key] ?? target,
      after: target,
    }))
    await store(tx, actor, businessId, changes)
  },
}

type Wanted = Omit<AutopayoutSetting, 'chain' | 'token'>

async function checked(
  ctx: Context,
  tx: Tx,
  businessId: string,
  payouts: readonly AutopayoutSetting[],
): Promise<Map<string, Wanted>> {
  const { destinations, hasProfile } = await readDestinations(
    tx,
    businessId,
    payouts.flatMap(({ destinationId }) => destinationId ?? []),
  )
  const mistakes: FieldMistake[] = []
  const wanted = new Map<string, Wanted>()
  for (const [index, { chain: name, token, enabled, destinationId }] of payouts.entries()) {
    const mistake = (field: string, code: FieldCode, message: string) =>
      mistakes.push({ field: `payouts.${index}.${field}`, message, code })
    const chain = ctx.chains.find((each) => each.name === name)
    if (!chain) mistake('chain', 'unavailable_chain', chainUnavailable(name))
    else if (!chain.tokens.some(({ symbol }) => symbol === token))
      mistake('token', 'unavailable_token', tokenUnavailable(token, name))
    else if (wanted.has(keyOf(name, token)))
      mistake('token', 'duplicate', `${token} on ${name} is listed twice`)
    const destination = destinationId === null ? null : destinations.get(destinationId)
    if (destination === undefined)
      mistake('destinationId', 'unknown_id', 'is not a payout destination of this business')
    else if (enabled && destination === null)
      mistake('destinationId', 'required', 'is required where autopayout is on')
    else if (enabled && destination !== null) {
      const problem = problemOf(ctx, destination, token, hasProfile)
      if (problem !== null)
        mistake('destinationId', 'not_possible', said[problem](destination.chain ?? '', token))
    }
    wanted.set(keyOf(name, token), { enabled, destinationId: destination?.id ?? null })
  }
  if (mistakes.length > 0) throw invalidBody(...mistakes)
  return wanted
}

const said: Record<AutopayoutProblem, (chain: string, token: string) => string> = {
  destination_archived: () => 'is archived',
  chain_unavailable: (chain) => `is a wallet on ${chain}, which is not available on this deployment`,
  token_unavailable: (chain, token) => `is a wallet on ${chain}, which has no ${token}`,
  no_partner: () => {
    throw partnerNotConfigured()
  },
  no_legal_profile: () => 'is a bank account: it can be paid once the business has a legal profile',
}

/** These destinations of the business, kept from being archived until the transaction ends. */
async function readDestinations(tx: Tx, businessId: string, ids: readonly string[]) {
  const destinations = await tx.query<{
    id: string
    kind: 'bank' | 'wallet'
    chain: string | null
    isArchived: boolean
  }>(
    `select id, kind, chain, archived_at is not null as "isArchived" from payout_destinations
     where business_id = $1 and id = any($2::uuid[]) order by id for share`,
    [businessId, ids.filter(isUuid)],
  )
  return {
    destinations: new Map(destinations.map((each) => [each.id, each])),
    hasProfile: await hasLegalProfile(tx, businessId),
  }
}

async function hasLegalProfile(db: Queryable, businessId: string): Promise<boolean> {
  return (await db.query('select 1 from legal_profiles where business_id = $1', [businessId])).length > 0
}
