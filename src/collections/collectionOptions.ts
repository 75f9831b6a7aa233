import type { ConfiguredChain } from '../chains/registry.ts'
import type { CollectionPartner } from '../partnerPayments/collectionPartner.ts'
import type { ReadChannels } from './channelList.ts'

export interface OptionsContext {
  chains: readonly ConfiguredChain[]
  /** Both null without a partner. */
  collectionPartner: Pick<CollectionPartner, 'name' | 'networkOf' | 'channels'> | null
  channels: ReadChannels | null
}

/**
 * What can be collected now, and where the partner settles it: nothing without a partner. @throws ApiError
 * 503
 */
export async function collectionOptions({ chains, collectionPartner, channels }: OptionsContext) {
  if (!collectionPartner || !channels) return { partner: null, channels: [], networks: [] }
  return {
    partner: collectionPartner.name,
    channels: (await channels()).map(({ country, currency, type, min, max, networks }) => ({
      country,
      currency,
      accountType: type,
      min,
      max,
      networks: networks.map(({ id, name }) => ({ id, name })),
    })),
    networks: chains
      .map(({ name, tokens }) => ({
        chain: name,
        tokens: tokens
          .map(({ symbol }) => symbol)
          .filter((symbol) => collectionPartner.networkOf(name, symbol) !== null),
      }))
      .filter((network) => network.tokens.length > 0),
  }
}
