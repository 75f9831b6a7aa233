import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type OpenCollections, openCollections } from '../../test/support/openCollections.ts'
import { createChannelList } from './channelList.ts'
import { collectionOptions } from './collectionOptions.ts'

let open: OpenCollections
beforeAll(async () => {
  open = await openCollections()
})
afterAll(() => open?.close())

test('every channel and every wallet that is offered is taken; no other token is offered', async () => {
  const { chains, partner, channels: read } = open.ctx
  const {
    channels,
    networks,
    partner: name,
  } = await collectionOptions({ chains, collectionPartner: partner, channels: read })
  expect(name).toBe('yellowcard')
  expect(
    channels.map(({ country, currency, accountType, min, max }) => [
      country,
      currency,
      accountType,
      min,
      max,
    ]),
  ).toEqual([
    ['NG', 'NGN', 'bank', '2500', '30000000'],
    ['KE', 'KES', 'bank', '500', '999999'],
    ['KE', 'KES', 'momo', '500', '250000'],
    ['CI', 'XOF', 'momo', '500', null],
  ])
  expect(channels.flatMap(({ networks }) => networks.map(({ name }) => name))).toEqual([
    'Guaranty Trust Bank',
    'M-PESA',
    'Wave',
  ])
  expect(networks).toEqual([
    { chain: 'ethereum', tokens: ['USDC'] },
    { chain: 'base', tokens: ['USDC'] },
    { chain: 'polygon', tokens: ['USDT'] },
    { chain: 'solana', tokens: ['USDC', 'USDT'] },
    { chain: 'tron', tokens: ['USDT'] },
    { chain: 'stellar', tokens: ['USDC'] },
  ])
  const businessId = await open.business()
  for (const { country, currency, accountType, min, networks } of channels) {
    const [network] = networks
    const source =
      accountType === 'bank'
        ? { accountType }
        : { accountType, networkId: `${network?.id}`, accountNumber: '0700000001' }
    const made = await open.create(businessId, {
      country,
      currency,
      amount: min,
      source,
      redirectUrl: 'https://shop.example/thanks',
    })
    expect([country, made.status, made.body.status]).toEqual([country, 201, 'processing'])
  }
})

test('a partner that does not answer is a 503, and a deployment without one offers nothing', async () => {
  const { chains, partner } = open.ctx
  const none = { partner: null, channels: [], networks: [] }
  expect(await collectionOptions({ chains, collectionPartner: null, channels: null })).toEqual(none)
  open.standIn.mode = 'down'
  const channels = createChannelList(partner)
  const asked = collectionOptions({ chains, collectionPartner: partner, channels })
  await expect(asked).rejects.toMatchObject({ status: 503, error: 'partner_unavailable' })
  open.standIn.mode = 'ok'
})
