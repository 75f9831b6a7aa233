import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { cryptoNetworks } from '../../../test/partners/yellowcard/cryptoNetworks.ts'
import { startYellowCard, type YellowCardStandIn } from '../../../test/partners/yellowcard.ts'
import {
  businessRecipient,
  collectionRequest,
  mpesaChannel,
  nairaChannel,
  personRecipient,
} from '../../../test/support/collectionRequests.ts'
import { partnerFailure, partnerProblem } from '../../../test/support/paymentRequests.ts'
import { accountAt, credentials } from '../../../test/support/yellowCardAccount.ts'
import { chainNames, tokenSymbols } from '../../chains/registry.ts'
import type { CollectionPartner, CollectionRequest } from '../../partnerPayments/collectionPartner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import { newId } from '../../platform/ids.ts'
import { Secret } from '../../platform/secrets.ts'
import type { YellowCardAccount } from './account.ts'
import { collectionForm } from './collection.ts'
import { createCollectionPartner } from './collectionPartner.ts'
import { get, post } from './request.ts'

const minute = 60_000
let standIn: YellowCardStandIn
let partner: CollectionPartner

const partnerOf = (more: Partial<YellowCardAccount> = {}) =>
  createCollectionPartner({ ...accountAt(standIn), ...more })
const submitted = async (more: Partial<CollectionRequest> = {}) => {
  const { id } = await partner.submit(collectionRequest(more))
  const collection = standIn.collections.byId(id)
  if (!collection) throw new Error('it was not made')
  return collection
}
const statusOf = async (id: string) => (await partner.get(id))?.status
const paysByItself = { accountType: 'bank', accountNumber: '1111111111' } as const

beforeEach(async () => {
  standIn = await startYellowCard(credentials, 0, { still: true })
  partner = partnerOf()
})
afterEach(() => standIn.close())

describe.each(['send', 'payments'] as const)('with the names of `%s`', (names) => {
  beforeEach(() => {
    standIn.names = names
    partner = partnerOf({ names })
  })

  test('a collection is submitted, answered with the account to pay into, found by both ids, and followed to its end', async () => {
    const request = collectionRequest({ source: paysByItself })
    const answered = await partner.submit(request)
    expect(answered).toMatchObject({
      sequenceId: request.sequenceId,
      status: 'processing',
      currency: 'NGN',
      country: 'NG',
      localAmount: '162000',
      amountUsd: '100',
      rate: '1620',
      serviceFeeUsd: '1',
      networkFeeUsd: '0.05',
      // (162000 − 1620 − 81) / 1620
      cryptoAmount: '98.95',
      reference: expect.stringMatching(/^JJ\d{7}$/),
      bank: { name: 'PAGA', accountNumber: expect.stringMatching(/^\d{10}$/), accountName: 'Ken Adams' },
      settlement: {
        address: request.settlement.address,
        currency: 'USDC',
        network: 'BASE',
        tag: null,
        txHash: null,
      },
    })
    expect(answered.expiresAt?.getTime()).toBe(standIn.clock.now() + 10 * minute)
    const seen = [answered.status]
    for (const ms of [3000, 5000]) {
      standIn.move(ms)
      await standIn.collections.settled()
      const collection = await partner.get(answered.id)
      expect(await partner.find(request.sequenceId)).toEqual(collection)
      seen.push(collection?.status ?? '')
    }
    expect(seen).toEqual(['processing', 'pending', 'complete'])
    expect((await partner.get(answered.id))?.settlement).toMatchObject({ status: 'complete', txHash: null })
  })

  test('one that is cancelled stays so, and money that comes afterwards goes back', async () => {
    const collection = await submitted()
    expect((await partner.cancel(collection.id)).status).toBe('cancelled')
    expect(await partnerProblem(partner.cancel(collection.id))).toEqual(['refused', 'PaymentInvalidState'])
    standIn.move(20 * minute)
    expect(await statusOf(collection.id)).toBe('cancelled')
    standIn.collections.receive(collection)
    const seen = [await statusOf(collection.id)]
    for (const ms of [1000, minute]) {
      standIn.move(ms)
      seen.push(await statusOf(collection.id))
    }
    expect(seen).toEqual(['pending_refund', 'refund_processing', 'refunded'])
  })

  test('a list has every collection over its pages, oldest change first, from zero or from one', async () => {
    const ids: string[] = []
    for (let i = 0; i < 7; i++) {
      ids.push((await submitted()).id)
      standIn.move(100)
    }
    for (const countsFrom of [0, 1] as const) {
      standIn.collections.countsFrom = countsFrom
      const pages = [1, 2, 3].map((page) => partner.list({ startDate: new Date(0), page, perPage: 3 }))
      const lists = await Promise.all(pages)
      const listed = lists.flatMap(({ collections }) => collections.map(({ id }) => id))
      expect([...new Set(listed)]).toEqual(ids)
      // Counted from one, the last collection of a page is the first one of the next.
      expect(listed).toHaveLength(countsFrom === 0 ? 7 : 8)
      expect(lists.map(({ isLast }) => isLast)).toEqual([false, false, true])
    }
    const [, later] = (await partner.list({ page: 1, perPage: 100 })).collections
    const rest = await partner.list({ startDate: later?.updatedAt as Date, page: 1, perPage: 100 })
    expect(rest.collections.map(({ id }) => id)).toEqual(ids.slice(1))
  })
})

test('a list is of the last 24 hours by the last change, unless both times are given', async () => {
  const { id } = await submitted()
  standIn.move(25 * 60 * minute)
  // It expired in between: its creation is older than the list.
  expect((await partner.list({ page: 1, perPage: 100 })).collections).toEqual([])
  const [start, end] = [new Date(standIn.clock.now() - 26 * 60 * minute), new Date(standIn.clock.now())]
  expect(
    (await partner.list({ startDate: start, endDate: end, page: 1, perPage: 100 })).collections,
  ).toMatchObject([{ id, status: 'expired' }])
  expect(
    (await partner.list({ startDate: start, endDate: start, page: 1, perPage: 100 })).collections,
  ).toEqual([])
})

test('the stand-in lists by creation and from the newest, as documented, and names a wrong time', async () => {
  const account = {
    url: standIn.url,
    apiKey: credentials.apiKey,
    secretKey: new Secret(credentials.secretKey),
  }
  const listed = (query: string) =>
    get(
      account,
      '/business/receives',
      z.object({ collections: z.array(z.object({ id: z.string() })) }),
      query,
    )
  const first = await submitted()
  standIn.move(100)
  const second = await submitted()
  standIn.move(100)
  standIn.collections.enter(first, 'cancelled')
  expect((await listed('')).collections).toEqual([{ id: second.id }, { id: first.id }])
  expect((await listed('sortBy=updatedAt&orderBy=asc&perPage=1')).collections).toEqual([{ id: second.id }])
  standIn.collections.hidden.add(second.id)
  expect((await listed('rangeBy=updatedAt')).collections).toEqual([{ id: first.id }])
  expect(await partnerProblem(listed('startDate=soon'))).toEqual(['refused', 'InvalidInput'])
})

test('a collection that cannot be read is left out of a list, and counted; a look-up names the field', async () => {
  const good = await submitted()
  const bad = await submitted()
  standIn.lie = (each) => (each.id === bad.id ? { ...each, convertedAmount: '1,000' } : each)
  expect(await partner.list({ startDate: new Date(0), page: 1, perPage: 2 })).toMatchObject({
    collections: [{ id: good.id }],
    unreadable: 1,
    isLast: false,
  })
  const error = await partnerFailure(partner.get(bad.id))
  expect([error.problem, error.message]).toEqual([
    'invalid_answer',
    expect.stringContaining('convertedAmount'),
  ])
})

describe('a payer', () => {
  test('that does not pay in ten minutes lets it expire, or fail; money that comes later completes it', async () => {
    const expired = await submitted()
    standIn.move(10 * minute + 1)
    expect(await partner.get(expired.id)).toMatchObject({ status: 'expired', errorCode: 'EXPIRED' })
    standIn.collections.unpaid = 'failed'
    const failed = await submitted()
    standIn.move(10 * minute + 1)
    expect(await partner.get(failed.id)).toMatchObject({ status: 'failed', errorCode: 'EXPIRED' })
    for (const late of [expired, failed]) {
      standIn.collections.receive(late)
      expect(await statusOf(late.id)).toBe('complete')
    }
  })

  test('that refuses lets it fail', async () => {
    const { id } = await submitted({ source: { accountType: 'bank', accountNumber: '0000000000' } })
    standIn.move(10_000)
    expect(await partner.get(id)).toMatchObject({ status: 'failed', errorCode: 'REFUSED' })
  })
})

describe('the crypto', () => {
  test('is sent by the hook with the amount of the tokens, and its transaction is stated', async () => {
    const sent: unknown[] = []
    standIn.collections.pay = async (transfer) => {
      sent.push(transfer)
      return '0xabc'
    }
    const settlement = {
      address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      currency: 'USDT',
      network: 'TRC20',
    } as const
    const collection = await submitted({ localAmount: 100_000n, settlement })
    standIn.collections.receive(collection)
    await standIn.collections.settled()
    // (100000 − 1004.4 − 1830.6) / 1620: of 61.73 dollars, the fee is rounded up to 0.62.
    expect((await partner.get(collection.id))?.settlement).toMatchObject({
      txHash: '0xabc',
      status: 'complete',
    })
    expect(sent).toEqual([
      {
        collectionId: collection.id,
        sequenceId: collection.sequenceId,
        address: settlement.address,
        tag: null,
        currency: 'USDT',
        network: 'TRC20',
        cryptoAmount: '59.97839506',
        amount: '59.978395',
      },
    ])
  })

  test.each(['an address of the sandbox that fails', 'a transfer that fails'])(
    'is not sent: %s gives the local money back',
    async (what) => {
      const failing = {
        address: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
        currency: 'USDC',
        network: 'BASE',
      } as const
      if (what === 'a transfer that fails') standIn.collections.pay = () => Promise.reject(new Error('no'))
      const collection = await submitted(what === 'a transfer that fails' ? {} : { settlement: failing })
      standIn.collections.receive(collection)
      await standIn.collections.settled()
      expect(await partner.get(collection.id)).toMatchObject({
        status: 'pending_refund',
        settlement: { status: 'failed' },
      })
      expect(standIn.webhooks.made.map(({ event }) => event).slice(-5)).toEqual([
        'COLLECTION.COMPLETE',
        'SETTLEMENT.PENDING',
        'SETTLEMENT.FAILED',
        'COLLECTION.FAILED',
        'COLLECTION.PENDING_REFUND',
      ])
    },
  )

  test('is shown by the status itself where the partner does so', async () => {
    standIn.collections.showsSettlement = true
    const collection = await submitted()
    standIn.collections.receive(collection)
    await standIn.collections.settled()
    expect(await statusOf(collection.id)).toBe('settlement_complete')
  })
})

test('a refund is tried five times, fails, and can be requested again', async () => {
  const collection = await submitted()
  standIn.collections.receive(collection)
  standIn.collections.refundsFail = true
  expect(standIn.collections.refund(collection)).toBe(true)
  standIn.move(1000 + 4 * minute)
  expect(await statusOf(collection.id)).toBe('refund_processing')
  standIn.move(minute)
  expect(await statusOf(collection.id)).toBe('refund_failed')
  standIn.collections.refundsFail = false
  expect(standIn.collections.refund(collection)).toBe(true)
  standIn.move(2 * minute)
  expect(await statusOf(collection.id)).toBe('refunded')
  expect(standIn.collections.refund(collection)).toBe(false)
})

describe('a request is checked as documented', () => {
  const channel = (channelId: string, currency: string, country: string) => ({ channelId, currency, country })
  const withoutSecondId = { ...personRecipient, additionalIdNumber: '' }
  test.each([
    ['an amount below the channel', { localAmount: 2_499n }],
    ['an amount above it', { localAmount: 30_000_001n }],
    ['a channel that pays', { channelId: 'fe8f4989-3bf6-41ca-9621-ffe2bc127569' }],
    ['a channel that is not active', channel('37b63794-284f-4a09-863d-9b74a3f621e1', 'XOF', 'BJ')],
    ['another currency than the channel', { currency: 'KES' }],
    ['another country than the channel', { country: 'KE' }],
    ['no second id in Nigeria', { recipient: withoutSecondId }],
    ['a business without an e-mail', { recipient: { ...businessRecipient, email: '' } }],
    ['a birthday in another form', { recipient: { ...personRecipient, dob: '1997-02-01' } }],
    [
      'another kind of account',
      { source: { accountType: 'momo', accountNumber: '+2341111111111' } as const },
    ],
    ['an unknown network of crypto', { settlement: { ...collectionRequest().settlement, network: 'BSC' } }],
    [
      'a token that the network does not have',
      { settlement: { ...collectionRequest().settlement, currency: 'USDT' } as const },
    ],
    ['an address of another network', { settlement: { ...collectionRequest().settlement, network: 'SOL' } }],
  ] satisfies [string, Partial<CollectionRequest>][])('%s', async (_what, more) => {
    expect(await partnerProblem(partner.submit(collectionRequest(more)))).toEqual([
      'refused',
      'PaymentValidationError',
    ])
    expect(standIn.collections.all()).toEqual([])
  })

  test('a phone number without its country has a code of its own', async () => {
    const recipient = { ...personRecipient, phone: '08012345678' }
    expect(await partnerProblem(partner.submit(collectionRequest({ recipient })))).toEqual([
      'refused',
      'InvalidPhoneNumberFormat',
    ])
  })

  test('Stellar needs a tag, mobile money a network, and some channels a URL to return to', async () => {
    const address = 'GAS6UDY45ZTOKVCTFV2Z6B4ZGBV3ZMQYZN7RAS7FJTNPLIRBLKFZSAMP'
    const stellar = { address, currency: 'USDC', network: 'XLM' } as const
    const kenyan = {
      recipient: { ...personRecipient, country: 'KE' },
      ...channel(mpesaChannel, 'KES', 'KE'),
      localAmount: 20_000n,
    }
    const momo = {
      accountType: 'momo',
      accountNumber: '+2541111111111',
      networkId: 'e4b1f5c2-0000-4e3a-8a43-2c2a4a3f1f12',
    } as const
    const bank = { ...kenyan, channelId: 'a3b1f5c2-3333-4e3a-8a43-2c2a4a3f1f10' }
    const asked: [Partial<CollectionRequest>, Partial<CollectionRequest>][] = [
      [{ settlement: stellar }, { settlement: { ...stellar, tag: '123456' } }],
      [
        { ...kenyan, source: { accountType: 'momo', accountNumber: '+2541111111111' } },
        { ...kenyan, source: momo },
      ],
      [bank, { ...bank, redirectUrl: 'https://shop.example/paid' }],
    ]
    for (const [without, complete] of asked) {
      expect(await partnerProblem(partner.submit(collectionRequest(without)))).toEqual([
        'refused',
        'PaymentValidationError',
      ])
      expect((await partner.submit(collectionRequest(complete))).status).toBe('processing')
    }
    // Mobile money is requested on the phone: it has no account to pay into. And it cannot be cancelled
    // outside Nigeria.
    const [, phone] = standIn.collections.all()
    expect((await partner.get(phone?.id ?? ''))?.bank).toBeNull()
    expect(await partnerProblem(partner.cancel(phone?.id ?? ''))).toEqual([
      'refused',
      'PaymentValidationError',
    ])
  })

  test('the same sequence id is refused a second time, and the first collection stays', async () => {
    const request = collectionRequest()
    const { id } = await partner.submit(request)
    expect(await partnerProblem(partner.submit(request))).toEqual(['refused', 'PaymentValidationError'])
    expect(standIn.collections.all().map((each) => each.id)).toEqual([id])
  })
})

test('channels are the active ones that collect, with their limits and networks', async () => {
  const channels = await partner.channels()
  const short = channels.map(({ type, country, currency, min, max, networks }) => [
    type,
    country,
    currency,
    min,
    max,
    networks.map(({ name }) => name),
  ])
  expect(short).toEqual([
    ['bank', 'NG', 'NGN', '2500', '30000000', ['Guaranty Trust Bank']],
    ['bank', 'KE', 'KES', '500', '999999', []],
    ['momo', 'KE', 'KES', '500', '250000', ['M-PESA']],
    ['momo', 'CI', 'XOF', '500', null, ['Wave']],
  ])
  expect(channels[0]?.id).toBe(nairaChannel)
})

test('the stand-in sends each token on the networks that the client names', () => {
  const named = chainNames.flatMap((chain) =>
    tokenSymbols.map((token) => ({ chain, token, network: partner.networkOf(chain, token) })),
  )
  for (const { token, network } of named)
    if (network !== null) expect(cryptoNetworks[network]?.tokens).toContain(token)
  expect(
    named.flatMap(({ chain, token, network }) => (network === null ? [] : [`${token} ${chain} ${network}`])),
  ).toEqual([
    'USDC ethereum ERC20',
    'USDT polygon POLYGON',
    'USDC base BASE',
    'USDC solana SOL',
    'USDT solana SOL',
    'USDT tron TRC20',
    'USDC stellar XLM',
  ])
})

describe('a POST is sent once, and its outcome is unknown', () => {
  test.each([
    ['answer', 'whose answer is lost after the work', 1],
    ['outcome', 'that is done and answered with 500', 1],
    ['patience', 'that is done and answered with 408', 1],
    ['request', 'that is lost before the work', 0],
  ] as const)('%s: one %s', async (lose, _what, made) => {
    const request = collectionRequest()
    standIn.lose = lose
    expect(await partnerProblem(partner.submit(request))).toEqual(['outcome_unknown', null])
    expect(standIn.asked).toHaveLength(1)
    expect(standIn.collections.all()).toHaveLength(made)
    expect((await partner.find(request.sequenceId))?.localAmount ?? null).toBe(made === 1 ? '162000' : null)
  })

  test.each(['down', 'slow', 'cut', 'garbage', 'astray'] as const)('a partner that is %s', async (mode) => {
    const { id } = await submitted()
    standIn.asked.length = 0
    standIn.mode = mode
    const asking = mode === 'slow' ? partnerOf({ timeoutMs: 700 }) : partner
    for (const asked of [() => asking.submit(collectionRequest()), () => asking.cancel(id)])
      expect(await partnerProblem(asked())).toEqual(['outcome_unknown', null])
    expect(standIn.asked).toHaveLength(2)
    expect(standIn.collections.all()).toHaveLength(1)
  })

  test('a cancellation that is answered with another collection', async () => {
    const { id } = await submitted()
    standIn.lie = (collection) => ({ ...collection, id: newId() })
    expect(await partnerProblem(partner.cancel(id))).toEqual(['outcome_unknown', null])
  })
})

test('one that was submitted without forceAccept waits ten minutes to be accepted or denied', async () => {
  const account = {
    url: standIn.url,
    apiKey: credentials.apiKey,
    secretKey: new Secret(credentials.secretKey),
  }
  const { kind, ...recipient } = personRecipient
  const content = () => ({
    sequenceId: newId(),
    localAmount: 5000,
    channelType: 'bank',
    country: 'NG',
    currency: 'NGN',
    recipient,
  })
  const more = { source: { accountType: 'bank' }, customerUID: 'c', customerType: 'retail' }
  const send = (path: string, body: object = {}) =>
    post(account, `/business/receive${path}`, body, collectionForm, { changes: true })
  const [first, second, third] = [
    await send('', { ...content(), ...more }),
    await send('', { ...content(), ...more }),
    await send('', { ...content(), ...more }),
  ]
  expect(first).toMatchObject({ status: 'created', bank: null, settlement: null })
  standIn.move(9 * minute)
  expect(await statusOf(first.id)).toBe('pending_approval')
  expect(await send(`/${first.id}/accept`)).toMatchObject({ status: 'processing', bank: { name: 'PAGA' } })
  expect((await send(`/${second.id}/deny`)).status).toBe('denied')
  expect(await partner.get(second.id)).toMatchObject({ status: 'failed', errorCode: 'DENIED' })
  standIn.move(2 * minute)
  expect(await statusOf(third.id)).toBe('expired')
  expect(await partnerProblem(send(`/${third.id}/accept`))).toEqual(['refused', 'PaymentExpired'])
  expect(await partnerProblem(send(`/${second.id}/accept`))).toEqual(['refused', 'PaymentInvalidState'])
  expect(await partnerProblem(send(`/${third.id}/refund`))).toEqual(['refused', 'PaymentInvalidState'])
  expect(await partnerProblem(send(`/${newId()}/accept`))).toEqual(['refused', 'CollectionNotFoundError'])
})

test('no error holds the secret, the signature, a name, an address, or an id of the recipient', async () => {
  const request = collectionRequest({ source: { accountType: 'bank', accountNumber: '0987654321' } })
  const errors: unknown[] = []
  const collect = async (asked: Promise<unknown>) =>
    errors.push(await asked.catch((thrown: unknown) => thrown))
  for (const mode of ['down', 'slow', 'cut', 'garbage', 'astray'] as const) {
    standIn.mode = mode
    await collect((mode === 'slow' ? partnerOf({ timeoutMs: 300 }) : partner).submit(request))
  }
  standIn.mode = 'ok'
  await collect(partner.submit({ ...request, channelId: newId() }))
  standIn.lie = (collection) => ({ ...collection, status: 7 })
  await collect(partner.submit(request))
  expect(errors).toHaveLength(7)
  for (const error of errors) {
    expect(error).toBeInstanceOf(PartnerError)
    const text = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${(error as Error).stack}`
    const { name, phone, address, dob, email, idNumber } = personRecipient
    for (const secret of [
      credentials.secretKey,
      'YcHmacV1',
      '0987654321',
      name,
      phone,
      address,
      dob,
      email,
      idNumber,
    ])
      expect(text).not.toContain(secret)
  }
})

describe('a read', () => {
  test('answers null only where the partner answers that there is no such collection', async () => {
    expect(await partner.get(newId())).toBeNull()
    expect(await partner.find(newId())).toBeNull()
    // A page of a proxy, or a path that is not served: it would be submitted a second time.
    standIn.mode = 'astray'
    expect((await partnerProblem(partner.find(newId())))[0]).toBe('unavailable')
    standIn.mode = 'ok'
    standIn.names = 'payments'
    expect(await partnerProblem(partner.find(newId()))).toEqual(['refused', 'NotFound'])
  })

  test.each(['id', 'sequenceId'])('that is answered with another %s is refused', async (field) => {
    const request = collectionRequest()
    const { id } = await partner.submit(request)
    standIn.lie = (collection) => ({ ...collection, [field]: newId() })
    const asked = field === 'id' ? partner.get(id) : partner.find(request.sequenceId)
    expect(await partnerProblem(asked)).toEqual(['invalid_answer', null])
  })

  test('beyond the partner’s limit is throttled', async () => {
    standIn.perSecond = 0
    expect(await partnerProblem(partner.get(newId()))).toEqual(['throttled', null])
    standIn.perSecond = null
    expect(await partner.get(newId())).toBeNull()
  })

  test('that takes long delays no other', async () => {
    const [slow, quick] = [await submitted(), await submitted()]
    const done = Promise.withResolvers<void>()
    standIn.delayOf = (path) => (path.endsWith(slow.id) ? done.promise : 0)
    const ended: string[] = []
    const read = async (id: string) => ended.push((await partner.get(id))?.id ?? '')
    await Promise.all([read(slow.id), read(quick.id).then(() => done.resolve())])
    expect(ended).toEqual([quick.id, slow.id])
  })
})

describe('webhooks', () => {
  let receiver: Server
  let received: { event: string; signed: boolean }[]
  beforeEach(async () => {
    received = []
    receiver = createServer(async (asked, response) => {
      const rawBody = Buffer.concat(await asked.toArray())
      const reading = partner.readWebhook({ rawBody, signature: String(asked.headers['x-yc-signature']) })
      received.push({
        event: JSON.parse(rawBody.toString()).event,
        signed: reading.genuine && reading.collectionId !== null,
      })
      response.end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    standIn.webhooks.url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  })
  afterEach(
    () =>
      new Promise((resolve) => {
        receiver.close(resolve)
        receiver.closeAllConnections()
      }),
  )

  test('are sent late, twice and in another order, each with our signature', async () => {
    standIn.webhooks.hold = true
    await submitted()
    standIn.move(3000)
    expect(received).toEqual([])
    expect(await standIn.webhooks.sendHeld('reversed', 2)).toHaveLength(8)
    const reversed = ['PENDING', 'PROCESSING', 'PROCESS', 'CREATED'].flatMap((status) => [
      `COLLECTION.${status}`,
      `COLLECTION.${status}`,
    ])
    expect(received).toEqual(reversed.map((event) => ({ event, signed: true })))
  })
})

test('each change has one webhook, by the older and by the newer names', async () => {
  for (const [kind, name] of [
    ['PAYMENT', 'COLLECTION'],
    ['SEND', 'RECEIVE'],
  ] as const) {
    Object.assign(standIn.webhooks, { kind, made: [] })
    const { id, sequenceId } = await submitted({ source: paysByItself })
    standIn.move(10_000)
    await standIn.collections.settled()
    const ofCollection = standIn.webhooks.made.filter((event) => event.id === id)
    expect(ofCollection.map(({ event }) => event)).toEqual(
      ['CREATED', 'PROCESS', 'PROCESSING', 'PENDING', 'COMPLETE'].map((status) => `${name}.${status}`),
    )
    expect(new Set(ofCollection.map((event) => event.sequenceId))).toEqual(new Set([sequenceId]))
  }
})
