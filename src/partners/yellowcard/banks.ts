import { z } from 'zod'
import type { Bank } from '../../pricing/rates.ts'
import type { YellowCardAccount } from './account.ts'
import { get } from './request.ts'

const channelsForm = z.object({
  channels: z.array(z.object({ id: z.string(), currency: z.string(), rampType: z.string() })),
})
const networksForm = z.object({
  networks: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      code: z.string(),
      country: z.string(),
      status: z.string(),
      accountNumberType: z.string(),
      channelIds: z.array(z.string()),
    }),
  ),
})

/**
 * Active networks with bank accounts, by https://docs.yellowcard.engineering/reference/get-networks, with the
 * currencies of the channels that pay to them. Channels that collect have the same networks, and limits of
 * their own (collectionChannels.ts).
 */
export async function readBanks(account: YellowCardAccount): Promise<Bank[]> {
  const [{ networks }, { channels }] = await Promise.all([
    get(account, '/business/networks', networksForm),
    get(account, '/business/channels', channelsForm),
  ])
  const currencies = new Map(
    channels
      .filter(({ rampType }) => rampType === 'withdraw')
      .map((channel) => [channel.id, channel.currency]),
  )
  return networks
    .filter((network) => network.status === 'active' && network.accountNumberType === 'bank')
    .map(
      (network): Bank => ({
        id: network.id,
        name: network.name,
        code: network.code,
        countryCode: network.country,
        currencies: [...new Set(network.channelIds.flatMap((id) => currencies.get(id) ?? []))],
      }),
    )
}
