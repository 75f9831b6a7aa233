import { z } from 'zod'
import type { CollectionChannel } from '../../partnerPayments/collectionPartner.ts'
import { amount } from '../exactJson.ts'
import type { YellowCardAccount } from './account.ts'
import { get } from './request.ts'

const channelsForm = z.object({
  channels: z.array(
    z.object({
      id: z.string(),
      channelType: z.string(),
      rampType: z.string(),
      country: z.string(),
      currency: z.string(),
      status: z.string(),
      apiStatus: z.string(),
      min: amount,
      max: amount,
    }),
  ),
})
const networksForm = z.object({
  networks: z.array(
    z.object({ id: z.string(), name: z.string(), status: z.string(), channelIds: z.array(z.string()) }),
  ),
})

const types = ['bank', 'momo'] as const

/**
 * Channels that money is collected by: active ones whose `rampType` is `deposit`, by
 * https://docs.yellowcard.engineering/reference/get-channels and docs/channels-api ("The minimums and
 * maximums are indicated in the channel's local currency. If the maximum is 0, then it implies that there is
 * no maximum specified by the provider"), with their active networks.
 */
export async function readCollectionChannels(account: YellowCardAccount): Promise<CollectionChannel[]> {
  const [{ channels }, { networks }] = await Promise.all([
    get(account, '/business/channels', channelsForm),
    get(account, '/business/networks', networksForm),
  ])
  const active = networks.filter(({ status }) => status === 'active')
  return channels.flatMap(
    ({ id, channelType, rampType, country, currency, status, apiStatus, min, max }): CollectionChannel[] => {
      const type = types.find((each) => each === channelType)
      if (type === undefined || rampType !== 'deposit' || status !== 'active' || apiStatus !== 'active')
        return []
      const ofChannel = active
        .filter(({ channelIds }) => channelIds.includes(id))
        .map((network) => ({ id: network.id, name: network.name }))
      return [{ id, type, country, currency, min, max: /[1-9]/.test(max) ? max : null, networks: ofChannel }]
    },
  )
}
