import type { WhereOptions } from 'sequelize'
import { type Actor, accountOf, confirmActor, recordAudit } from '../audit/recordAudit.ts'
import { normalEmail } from '../mail/normalEmail.ts'
import { type Mailing, queueMail } from '../mail/queueMail.ts'
import { auditOfVoided, endOwnerInvitations, makeInvitation } from '../members/invitations.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { waitForTransactions } from '../platform/database/waitForTransactions.ts'
import { ApiError, invalidBody, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { requireTimeZone } from '../platform/localDates.ts'
import { containing, createdWithin, findPage, type Page, type PageRequest } from '../platform/pages.ts'
import type { Secret } from '../platform/secrets.ts'
import { capNames, noOwnCaps, type OwnCaps, ownCaps, storeCaps } from '../rateLimits/caps.ts'
import { countHeld, reconcileSoon } from '../txmgr/hold.ts'
import { type BusinessView, insertBusiness, type NewBusiness, presentBusiness } from './manageBusiness.ts'
import { listMembers, type MemberView } from './members.ts'
import { type Business, businessModel } from './model.ts'
import { storeTimeZone } from './timeZone.ts'
import type { BusinessFilter, BusinessOrder, Volume, Volumes } from './volume.ts'

/** A business as an operator of the platform sees it. */
export interface OperatedBusinessView extends BusinessView {
  feePercent: string
  fxMarginPercent: string
  /** Email addresses. */
  owners: string[]
  /** Transfers held because the business is suspended. */
  heldTransfers: number
  /** Values set by the operator; null: the deployment's settings apply. */
  caps: OwnCaps
  memberCount: number
  /** In lists, and of one. */
  volume?: Volume
}

export async function listBusinesses(
  ctx: { db: ModelDb; volumes: Volumes },
  { sortBy = 'opened', ...filter }: BusinessFilter & { sortBy?: BusinessOrder },
  request: PageRequest,
): Promise<Page & { businesses: OperatedBusinessView[] }> {
  if (sortBy !== 'opened') {
    const { ids, page } = await ctx.volumes.sorted(ctx.db, filter, sortBy, request)
    const found = await businessModel(ctx.db.sequelize).findAll({ where: { id: ids } })
    const byId = new Map(found.map((business) => [business.id, business]))
    return {
      businesses: await withVolumes(
        ctx,
        await withOwners(
          ctx,
          ids.flatMap((id) => byId.get(id) ?? []),
        ),
      ),
      ...page,
    }
  }
  const where: WhereOptions<Business> = {
    ...(filter.approval ? { approval: [...filter.approval] } : {}),
    ...(filter.q === undefined ? {} : { name: containing(filter.q) }),
    ...createdWithin(filter),
  }
  const { rows, page } = await findPage(businessModel(ctx.db.sequelize), where, request)
  return { businesses: await withVolumes(ctx, await withOwners(ctx, rows)), ...page }
}

/** Adds what they took. */
export async function withVolumes(
  { db, volumes }: { db: ModelDb; volumes: Volumes },
  businesses: readonly OperatedBusinessView[],
): Promise<OperatedBusinessView[]> {
  const found = await volumes.read(
    db,
    businesses.map(({ id }) => id),
  )
  return businesses.map((business) => {
    const volume = found.get(business.id)
    return volume ? { ...business, volume } : business
  })
}

/** @throws ApiError 404 */
export async function viewBusiness(ctx: { db: ModelDb }, id: string): Promise<OperatedBusinessView> {
  const [view] = await withOwners(ctx, [await findBusiness(ctx, id)])
  if (!view) throw notFound('business')
  return view
}

/** Opens a business for a person. @returns it, and the token of its owner's invitation */
export async function openBusiness(
  ctx: { db: ModelDb },
  actor: Actor,
  wanted: NewBusiness & { ownerEmail: string },
  mailing: Mailing | null = null,
): Promise<{ business: OperatedBusinessView; token: Secret }> {
  const { id, token } = await ctx.db.tx(async (tx) => {
    const business = await insertBusiness(ctx, tx, actor, wanted)
    const invitation = await makeInvitation(tx, {
      purpose: 'member',
      businessId: business.id,
      role: 'owner',
      email: wanted.ownerEmail,
      invitedBy: accountOf(actor),
      isMailed: mailing !== null,
    })
    const email = normalEmail(wanted.ownerEmail)
    if (mailing)
      await queueMail(mailing, tx, {
        kind: 'member',
        email,
        invitationId: invitation.id,
        token: invitation.token,
      })
    const after = { email, role: 'owner', ...(mailing ? { byMail: true } : {}) }
    await recordAudit(tx, actor, {
      businessId: business.id,
      action: 'member.invited',
      target: invitation.id,
      after,
    })
    return { id: business.id, token: invitation.token }
  })
  return { business: await viewBusiness(ctx, id), token }
}

/**
 * Invites an owner again while a business has no owner: the earlier link was lost, expired or went to a wrong
 * address. Voids the earlier link.
 * @returns the business, and the token of the invitation
 * @throws ApiError 404; 409 `business_has_owner`
 */
export async function inviteOwner(
  ctx: { db: ModelDb },
  actor: Actor,
  businessId: string,
  ownerEmail: string,
  mailing: Mailing | null = null,
): Promise<{ business: OperatedBusinessView; token: Secret }> {
  const { id } = await findBusiness(ctx, businessId)
  const token = await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, id)
    await confirmActor(tx, actor)
    // Before checking for owners: a person about to join has locked the invitation, so this waits for them.
    const voided = await endOwnerInvitations(tx, id)
    const owners = await tx.query(`select 1 from members where business_id = $1 and role = 'owner' limit 1`, [
      id,
    ])
    if (owners.length > 0)
      throw new ApiError(409, 'business_has_owner', 'The business has an owner, who invites others')
    const email = normalEmail(ownerEmail)
    const isMailed = mailing !== null
    const made = await makeInvitation(tx, {
      purpose: 'member',
      businessId: id,
      role: 'owner',
      email,
      invitedBy: accountOf(actor),
      isMailed,
    })
    if (mailing)
      await queueMail(mailing, tx, { kind: 'member', email, invitationId: made.id, token: made.token })
    const after = { email, role: 'owner', ...(isMailed ? { byMail: true } : {}), ...auditOfVoided(voided) }
    await recordAudit(tx, actor, { businessId: id, action: 'member.invited', target: made.id, after })
    return made.token
  })
  return { business: await viewBusiness(ctx, id), token }
}

/**
 * Approves a business for production, or suspends it: its keys and tokens are refused, and its queued
 * transfers are neither signed nor sent until it is approved again. Transfers already sent are still watched.
 * Repeating it changes nothing. A suspension applies to new work at once, and returns when running work has
 * ended.
 * @throws ApiError 404; 503 where running work does not end in time
 */
export async function setApproval(
  ctx: { db: ModelDb },
  actor: Actor,
  id: string,
  approval: 'approved' | 'suspended',
  reason: string | null,
): Promise<OperatedBusinessView> {
  await change(ctx, id, { approval, approvalReason: reason }, (tx, before) =>
    recordAudit(tx, actor, {
      businessId: id,
      action: `business.${approval}`,
      target: id,
      before,
      after: { approval, approvalReason: reason },
    }),
  )
  if (approval === 'approved') await reconcileSoon(ctx.db, id)
  else await waitForTransactions(ctx.db, 'businesses', id)
  return viewBusiness(ctx, id)
}

/** Sets the platform's fees for later sessions, in percent as exact decimals. @throws ApiError 404 */
export async function setFees(
  ctx: { db: ModelDb },
  actor: Actor,
  id: string,
  fees: { feePercent: string; fxMarginPercent: string },
): Promise<OperatedBusinessView> {
  await change(ctx, id, fees, (tx, before) =>
    recordAudit(tx, actor, {
      businessId: id,
      action: 'business.fees_changed',
      target: id,
      before,
      after: fees,
    }),
  )
  return viewBusiness(ctx, id)
}

/** @throws ApiError 400 naming `timeZone`; 404 */
export async function setTimeZone(
  ctx: { db: ModelDb },
  actor: Actor,
  id: string,
  timeZone: string,
): Promise<OperatedBusinessView> {
  requireTimeZone(timeZone, invalidBody)
  const business = await findBusiness(ctx, id)
  await ctx.db.tx(async (tx) => {
    const { transaction } = tx
    await business.reload({ transaction, lock: transaction.LOCK.NO_KEY_UPDATE })
    await storeTimeZone(tx, actor, business, timeZone)
  })
  return viewBusiness(ctx, id)
}

/**
 * Sets a business's caps in total or per day; null: the deployment's settings. Omitted caps stay. @throws
 * ApiError 404
 */
export async function setCaps(
  ctx: { db: ModelDb },
  actor: Actor,
  id: string,
  wanted: Partial<OwnCaps>,
): Promise<OperatedBusinessView> {
  const business = await findBusiness(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, business.id)
    const had = (await ownCaps(tx, [id])).get(id) ?? noOwnCaps
    const names = capNames.filter((name) => wanted[name] !== undefined && wanted[name] !== had[name])
    if (names.length === 0) return
    await storeCaps(tx, id, wanted)
    const of = (caps: Partial<OwnCaps>) => Object.fromEntries(names.map((name) => [name, caps[name] ?? null]))
    await recordAudit(tx, actor, {
      businessId: id,
      action: 'business.caps_changed',
      target: id,
      before: of(had),
      after: of(wanted),
    })
  })
  return viewBusiness(ctx, id)
}

async function change<K extends 'approval' | 'approvalReason' | 'feePercent' | 'fxMarginPercent'>(
  ctx: { db: ModelDb },
  id: string,
  next: Pick<Business, K>,
  audit: (tx: Parameters<Parameters<ModelDb['tx']>[0]>[0], before: object) => Promise<void>,
): Promise<void> {
  const business = await findBusiness(ctx, id)
  await ctx.db.tx(async (tx) => {
    const { transaction } = tx
    await business.reload({ transaction, lock: transaction.LOCK.NO_KEY_UPDATE })
    const before = Object.fromEntries(
      Object.keys(next).map((name) => [name, shown(name, business.get(name))]),
    )
    if (Object.entries(next).every(([name, value]) => before[name] === value)) return
    await business.update(next, { transaction })
    await audit(tx, before)
  })
}

const shown = (name: string, value: unknown) => (name.endsWith('Percent') ? plain(String(value)) : value)

async function findBusiness(ctx: { db: ModelDb }, id: string): Promise<Business> {
  const business = isUuid(id) ? await businessModel(ctx.db.sequelize).findByPk(id) : null
  if (!business) throw notFound('business')
  return business
}

async function withOwners(
  ctx: { db: ModelDb },
  businesses: readonly Business[],
): Promise<OperatedBusinessView[]> {
  const owners = await ctx.db.query<{ businessId: string; email: string }>(
    `select m.business_id as "businessId", a.email from members m join accounts a on a.id = m.account_id
     where m.role = 'owner' and m.business_id = any($1) order by m.created_at, a.id`,
    [businesses.map(({ id }) => id)],
  )
  const ids = businesses.map(({ id }) => id)
  const [held, caps] = [await countHeld(ctx.db, ids), await ownCaps(ctx.db, ids)]
  const members = await countMembers(ctx.db, ids)
  return businesses.map((business) => ({
    ...presentBusiness(business),
    feePercent: plain(business.feePercent),
    fxMarginPercent: plain(business.fxMarginPercent),
    owners: owners.filter(({ businessId }) => businessId === business.id).map(({ email }) => email),
    heldTransfers: held.get(business.id) ?? 0,
    caps: caps.get(business.id) ?? noOwnCaps,
    memberCount: members.get(business.id) ?? 0,
  }))
}

async function countMembers(db: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; n: number }>(
    'select business_id as id, count(*)::int as n from members where business_id = any($1) group by business_id',
    [ids],
  )
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** All members of a business. @throws ApiError 404 */
export async function listOperatedMembers(ctx: { db: ModelDb }, id: string): Promise<MemberView[]> {
  const business = await findBusiness(ctx, id)
  return listMembers(ctx.db, business.id)
}

/** A percentage without the trailing zeros that the database adds. */
export const plain = (percent: string): string =>
  percent.includes('.') ? percent.replace(/\.?0+$/, '') : percent
