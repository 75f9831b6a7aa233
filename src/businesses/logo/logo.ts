import { createHash } from 'node:crypto'
import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import type { Queryable, Tx } from '../../platform/database/db.ts'
import type { ModelDb } from '../../platform/database/modelDb.ts'
import { prepared } from '../../platform/database/prepared.ts'
import { invalidBody } from '../../platform/errors.ts'
import { cleanImage } from './cleanImage.ts'
import { ImageError, type LogoType } from './image.ts'

/** Where the api serves a logo. Only its content leads to it: no name or id of a business does. */
export const logoPath = (hash: string): string => `/logos/${hash}`

/** Of a business; null without one. */
export async function readLogoPath(db: Queryable, businessId: string): Promise<string | null> {
  const [row] = await db.query<{ hash: string }>('select hash from business_logos where business_id = $1', [
    businessId,
  ])
  return row ? logoPath(row.hash) : null
}

const select = prepared('select type, image from business_logos where hash = $1 limit 1')

/** The logo of this content; null if no business has it. */
export async function readLogo(
  db: Queryable,
  hash: string,
): Promise<{ type: LogoType; image: Buffer } | null> {
  const [row] = await db.query<{ type: LogoType; image: Buffer }>(select, [hash])
  return row ?? null
}

/**
 * Sets a business's logo, in place of one before.
 * @param base64 the file as it was uploaded; what is stored is made from it
 * @throws ApiError 400 naming `image`
 */
export async function setLogo(
  ctx: { db: ModelDb },
  actor: Actor,
  businessId: string,
  base64: string,
): Promise<void> {
  const { type, image } = await checked(base64)
  const hash = createHash('sha256').update(image).digest('base64url')
  await ctx.db.tx(async (tx) => {
    const before = await lockLogo(tx, businessId)
    await tx.query(
      `insert into business_logos (business_id, hash, type, image, created_at) values ($1, $2, $3, $4, now())
       on conflict (business_id) do update set hash = excluded.hash, type = excluded.type, image = excluded.image,
         created_at = excluded.created_at`,
      [businessId, hash, type, image],
    )
    await recordAudit(tx, actor, {
      businessId,
      action: 'logo.changed',
      target: businessId,
      before: { logo: before },
      after: { logo: hash },
    })
  })
}

/** Does nothing without a logo. */
export async function removeLogo(ctx: { db: ModelDb }, actor: Actor, businessId: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const before = await lockLogo(tx, businessId)
    if (before === null) return
    await tx.query('delete from business_logos where business_id = $1', [businessId])
    await recordAudit(tx, actor, {
      businessId,
      action: 'logo.removed',
      target: businessId,
      before: { logo: before },
      after: { logo: null },
    })
  })
}

/** Changes of one business's logo wait for each other. @returns the hash before */
async function lockLogo(tx: Tx, businessId: string): Promise<string | null> {
  await tx.query('select from businesses where id = $1 for no key update', [businessId])
  const [row] = await tx.query<{ hash: string }>('select hash from business_logos where business_id = $1', [
    businessId,
  ])
  return row?.hash ?? null
}

async function checked(base64: string): Promise<{ type: LogoType; image: Buffer }> {
  const refused = (message: string) => invalidBody({ field: 'image', message, code: 'invalid_image' })
  const file = Buffer.from(base64, 'base64')
  if (file.toString('base64') !== base64) throw refused('must be the file in base64')
  try {
    return await cleanImage(file)
  } catch (error) {
    if (error instanceof ImageError) throw refused(`The logo ${error.message}`)
    throw error
  }
}
