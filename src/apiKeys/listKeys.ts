import { Op, type WhereOptions } from 'sequelize'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type Created, createdWithin, findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { type ApiKey, apiKeyModel } from './model.ts'
import { emailsOf, type KeyState, type KeyView, presentKey } from './presentKey.ts'

/** A page of a business's keys. */
export async function listKeys(
  ctx: { db: ModelDb },
  businessId: string,
  filter: Created & { state?: readonly KeyState[]; unconfirmed?: boolean; namesRefundAddresses?: boolean },
  request: PageRequest,
): Promise<Page & { keys: KeyView[] }> {
  const unconfirmed = filter.unconfirmed ? { ...inState('active'), sentFromWalletsAt: { [Op.ne]: null } } : {}
  const naming = filter.namesRefundAddresses
    ? { ...inState('active'), refundAddressUntil: { [Op.ne]: null } }
    : {}
  const inStates = filter.state ? { [Op.or]: filter.state.map(inState) } : {}
  const where = { [Op.and]: [{ businessId }, inStates, unconfirmed, naming, createdWithin(filter)] }
  const { rows, page } = await findPage(apiKeyModel(ctx.db.sequelize), where, request)
  const emails = await emailsOf(
    ctx,
    rows.map((key) => key.createdBy),
  )
  return { keys: rows.map((key) => presentKey(key, emails.get(key.createdBy ?? '') ?? null)), ...page }
}

function inState(state: KeyState): WhereOptions<ApiKey> {
  if (state === 'revoked') return { revokedAt: { [Op.ne]: null } }
  if (state === 'expired') return { revokedAt: null, expiresAt: { [Op.lte]: new Date() } }
  return { revokedAt: null, expiresAt: { [Op.or]: [null, { [Op.gt]: new Date() }] } }
}

/** @throws ApiError 404, also for another business's key */
export async function getKey(ctx: { db: ModelDb }, businessId: string, id: string): Promise<ApiKey> {
  const key = isUuid(id) ? await apiKeyModel(ctx.db.sequelize).findOne({ where: { id, businessId } }) : null
  if (!key) throw notFound('API key')
  return key
}
