import { refuseUnopened, type UnopenedContext } from '../chains/refuseUnopened.ts'
import type { Routes } from '../http/routes.ts'
import type { CollectionPartner } from '../partnerPayments/collectionPartner.ts'
import { partnerNotConfigured } from '../partnerPayments/partnerNotConfigured.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { cancelCollection } from './cancelCollection.ts'
import { createChannelList } from './channelList.ts'
import { findCollection } from './collection.ts'
import { createCollection } from './createCollection.ts'
import { listCollections } from './listCollections.ts'
import { type CollectionView, presentCollection } from './presentCollection.ts'
import { refreshCollection } from './refreshCollection.ts'

export interface CollectionRoutesContext extends UnopenedContext {
  db: ModelDb
  log: Log
  appKey: Secret
  /** Null without a partner. */
  collectionPartner: CollectionPartner | null
}

/** Fiat collections: by API and in the dashboard. */
export function collectionRoutes({ collectionPartner, ...given }: CollectionRoutesContext): Routes {
  // The workers count alarms; here they are in the log.
  const ctx = { ...given, alarm: () => {} }
  const channels = collectionPartner && createChannelList(collectionPartner)
  const withPartner = () => {
    if (collectionPartner && channels) return { ...ctx, partner: collectionPartner, channels }
    throw partnerNotConfigured()
  }
  return {
    async createCollection({ body, caller, remember }) {
      await refuseUnopened(ctx, body.walletAddress, 'walletAddress')
      return createCollection(withPartner(), caller.businessId, body, (db, answer) =>
        remember(db, answer, { after: audited(answer.body) }),
      )
    },
    async listCollections({ query, caller }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listCollections(ctx, caller.businessId, filter, request) }
    },
    getCollection: async ({ params, caller }) => ({
      status: 200,
      body: presentCollection(await findCollection(ctx.db, caller.businessId, params.id)),
    }),
    async cancelCollection({ params, caller, remember }) {
      await findCollection(ctx.db, caller.businessId, params.id)
      const body = await cancelCollection(
        withPartner(),
        caller.actor,
        caller.businessId,
        params.id,
        (db, view) => remember(db, { status: 200, body: view }),
      )
      return { status: 200, body }
    },
    async refreshCollection({ params, caller, remember }) {
      await findCollection(ctx.db, caller.businessId, params.id)
      const body = await refreshCollection(withPartner(), caller.businessId, params.id, (tx, view) =>
        remember(tx, { status: 200, body: view }),
      )
      return { status: 200, body }
    },
  }
}

/** The fields of a collection in the audit log. */
const audited = ({
  amount,
  currency,
  country,
  walletAddress,
  cryptoCurrency,
  cryptoNetwork,
}: CollectionView) => ({
  amount,
  currency,
  country,
  walletAddress,
  cryptoCurrency,
  cryptoNetwork,
})
