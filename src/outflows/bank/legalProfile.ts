import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import { masked, maskedEmail } from '../../destinations/mask.ts'
import { lockBusiness } from '../../members/lockBusiness.ts'
import { isCountry, notCountry } from '../../platform/countries.ts'
import type { Db, Queryable } from '../../platform/database/db.ts'
import { invalidBody } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Secret } from '../../platform/secrets.ts'
import { type LegalProfile, openProfile, sealProfile } from './sealedProfile.ts'

interface Context {
  db: Db
  appKey: Secret
}

/** A business's legal profile as its owners see it again: masked; null before it is written. */
export const getLegalProfile = async (ctx: Context, businessId: string) =>
  present(await readProfile(ctx, ctx.db, businessId))

/**
 * Replaces the legal profile. The audit log names the fields that changed, without their values. Repeating it
 * changes nothing.
 * @throws ApiError 400 naming `country`
 */
export async function setLegalProfile(ctx: Context, actor: Actor, businessId: string, wanted: LegalProfile) {
  const profile = checked(wanted)
  await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, businessId)
    const before = await readProfile(ctx, tx, businessId)
    const changed = fields.filter((field) => before?.profile[field] !== profile[field])
    if (changed.length === 0) return
    const id = before?.id ?? newId()
    await tx.query(
      `insert into legal_profiles (id, business_id, sealed) values ($1, $2, $3)
       on conflict (business_id) do update set sealed = excluded.sealed, updated_at = now()`,
      [id, businessId, sealProfile(ctx.appKey, { id, businessId }, profile)],
    )
    await rescheduleUnprofiled(tx, businessId)
    await recordAudit(tx, actor, {
      businessId,
      action: 'legal_profile.changed',
      target: businessId,
      after: { fields: changed },
    })
  })
  return getLegalProfile(ctx, businessId)
}

/** Outflows that waited for the profile are due. */
async function rescheduleUnprofiled(tx: Queryable, businessId: string): Promise<void> {
  await tx.query(
    "update outflows set next_at = now() where business_id = $1 and status = 'pending' and reason = 'legal_profile_missing'",
    [businessId],
  )
  await tx.query("select pg_notify('cowry_payouts', '')")
}

const fields = [
  'businessName',
  'registrationNumber',
  'country',
  'address',
  'phone',
  'email',
] as const satisfies readonly (keyof LegalProfile)[]

interface Stored {
  id: string
  profile: LegalProfile
  updatedAt: Date
}

export async function readProfile(
  { appKey }: { appKey: Secret },
  db: Queryable,
  businessId: string,
): Promise<Stored | null> {
  const [row] = await db.query<{ id: string; sealed: Buffer; updatedAt: Date }>(
    'select id, sealed, updated_at as "updatedAt" from legal_profiles where business_id = $1',
    [businessId],
  )
  return row
    ? {
        id: row.id,
        profile: openProfile(appKey, { id: row.id, businessId }, row.sealed),
        updatedAt: row.updatedAt,
      }
    : null
}

function checked({
  businessName,
  registrationNumber,
  country,
  address,
  phone,
  email,
}: LegalProfile): LegalProfile {
  if (!isCountry(country))
    throw invalidBody({ field: 'country', message: notCountry, code: 'invalid_country' })
  return {
    businessName: businessName.trim(),
    registrationNumber: registrationNumber.trim(),
    country,
    address: address.trim(),
    phone,
    email,
  }
}

const present = (stored: Stored | null) => ({
  profile: stored && {
    ...stored.profile,
    registrationNumber: masked(stored.profile.registrationNumber),
    phone: masked(stored.profile.phone),
    email: maskedEmail(stored.profile.email),
    updatedAt: stored.updatedAt.toISOString(),
  },
})
