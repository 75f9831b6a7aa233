import { isDeepStrictEqual } from 'node:util'
import type { Chain } from '../chains/registry.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { notFound } from '../platform/errors.ts'
import { requireMetadata } from '../platform/http/metadata.ts'
import { isUuid } from '../platform/ids.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import { sessionModel } from './model.ts'
import { presentSession, type SessionView } from './present.ts'
import { readHeights } from './readHeights.ts'
import { asSettled, readPayments } from './readPayments.ts'
import { readRefunds } from './readRefunds.ts'

type Metadata = Record<string, unknown> | null

/**
 * Replaces a session's metadata, in any state; an empty object counts as null. Later events of the session
 * carry the new metadata.
 * @param also runs in the same transaction, with the fields of the metadata that differ
 * @throws ApiError 400 naming `metadata`; 404, also for a session of another business
 */
export async function changeSession(
  ctx: { db: ModelDb; chains: readonly Chain[]; checkoutUrl: CheckoutUrl },
  businessId: string,
  id: string,
  { metadata }: { metadata: Metadata },
  also: (
    tx: ModelTx,
    result: { view: SessionView; before: { metadata: Metadata }; after: { metadata: Metadata } },
  ) => Promise<void>,
): Promise<SessionView> {
  requireMetadata(metadata)
  if (!isUuid(id)) throw notFound('Session')
  return ctx.db.tx(async (tx) => {
    const { transaction } = tx
    const session = await sessionModel(ctx.db.sequelize).findOne({
      where: { id, businessId },
      transaction,
      lock: transaction.LOCK.UPDATE,
    })
    if (!session) throw notFound('Session')
    const before = session.metadata
    session.metadata = metadata && Object.keys(metadata).length > 0 ? metadata : null
    await session.save({ transaction })
    const context = { ...ctx, heights: await readHeights(tx) }
    const view = presentSession(
      session,
      asSettled(await readPayments(tx, [id])),
      context,
      await readRefunds(tx, [id]),
    )
    await also(tx, {
      view,
      before: { metadata: differing(before, session.metadata) },
      after: { metadata: differing(session.metadata, before) },
    })
    return view
  })
}

/** The fields that the other lacks, or has with another value. */
function differing(metadata: Metadata, other: Metadata): Metadata {
  if (metadata === null) return null
  return Object.fromEntries(
    Object.entries(metadata).filter(
      ([key, value]) => !other || !Object.hasOwn(other, key) || !isDeepStrictEqual(value, other[key]),
    ),
  )
}
