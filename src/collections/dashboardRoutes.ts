import type { Routes } from '../http/routes.ts'
import { createChannelList } from './channelList.ts'
import { collectionOptions, type OptionsContext } from './collectionOptions.ts'

/** What a person can choose from, for a new collection. */
export function collectionDashboardRoutes(given: Omit<OptionsContext, 'channels'>): Routes {
  const ctx = { ...given, channels: given.collectionPartner && createChannelList(given.collectionPartner) }
  return { getCollectionOptions: async () => ({ status: 200, body: await collectionOptions(ctx) }) }
}
