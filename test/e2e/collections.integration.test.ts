import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { payOnDevnets } from '../partners/yellowcard/payOnDevnets.ts'
import { foundIn, sinksOf } from '../promises/sinks.ts'
import { full } from '../support/full.ts'
import { type OtherChainName, otherChainNames } from '../support/otherDevnets.ts'
import { decimalsOf, fund, newPayer } from '../support/payers.ts'
import { someCollection } from '../support/sampleRequests.ts'
import { createStack, type ProgramName, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { wrongCollections, wrongQueries } from '../support/wrongCollections.ts'

// A fiat collection through the processes: by webhook alone, by the list alone, by refresh alone; its crypto
// is paid on a devnet.

interface Collection {
  id: string
  status: string
  settlement: string
  txId: string | null
  bankAccountNumber: string | null
  partnerPaymentStatus: string | null
}

type SettledOn = 'ethereum' | OtherChainName
/** One of each family, with what the partner settles there. */
const tokens = { ethereum: 'USDC', solana: 'USDC', tron: 'USDT', stellar: 'USDC' } as const
const settledOn: SettledOn[] = full ? ['ethereum', ...otherChainNames] : ['ethereum']

let stack: Stack
beforeAll(async () => {
  // The indexer of Stellar reads from the platform's account, which the treasury's seed opens.
  const processes: ProgramName[] = full
    ? ['treasury', 'api', 'worker', 'indexer']
    : ['api', 'worker', 'indexer']
  stack = await createStack({
    separate: true,
    traced: true,
    chains: settledOn,
    processes,
    env: { LOG_LEVEL: 'trace' },
  })
  const others = settledOn.filter((chain) => chain !== 'ethereum')
  const purses = others.map(
    (chain) => [chain, { ...stack.other(chain), decimals: decimalsOf(stack, chain).token }] as const,
  )
  stack.partner.collections.pay = payOnDevnets({ ethereum: stack.devnet, ...Object.fromEntries(purses) })
}, 240_000)
afterAll(() => stack?.close())

const toUs = () =>
  `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/partners/yellowcard/webhooks`
const create = async (more: object = {}, headers: Record<string, string> = {}) =>
  stack.api<Collection>(
    'POST',
    '/fiat-collections',
    { ...someCollection(), walletAddress: newPayer('ethereum').address, ...more },
    headers,
  )
const get = async (id: string) => (await stack.api<Collection>('GET', `/fiat-collections/${id}`)).body
const isPaid = (id: string) => {
  const made = stack.partner.collections.bySequence(id)
  if (!made) throw new Error('the partner does not have it')
  stack.partner.collections.receive(made)
}
async function settles(id: string, chain: SettledOn = 'ethereum'): Promise<void> {
  await stack.partner.collections.settled()
  const seen = await waitFor(
    'the settlement',
    async () => {
      await stack.mine(1, chain)
      const now = await get(id)
      return now.settlement === 'confirmed' && now
    },
    60_000,
  )
  expect(seen.txId).toBe(stack.partner.collections.bySequence(id)?.settlement?.txHash)
}

/** A wallet that can receive what the partner settles. */
async function walletOn(chain: SettledOn): Promise<string> {
  const wallet = newPayer(chain)
  if (chain === 'stellar') await fund(stack, wallet, { [tokens[chain]]: '0' })
  return wallet.address
}

test.each(settledOn)(
  'on %s its crypto is paid and confirmed, and other money is not taken for it',
  async (chain) => {
    const walletAddress = await walletOn(chain)
    const memo = chain === 'stellar' ? { memo: '4711' } : {}
    const { status, body } = await create({
      walletAddress,
      cryptoNetwork: chain,
      cryptoCurrency: tokens[chain],
      ...memo,
    })
    expect([status, body.settlement]).toEqual([201, 'none'])
    if (chain !== 'stellar')
      await fund(stack, { chain, address: walletAddress, privateKey: '' }, { [tokens[chain]]: '3.5' })
    isPaid(body.id)
    await stack.api('POST', `/fiat-collections/${body.id}/refresh-status`)
    await settles(body.id, chain)
    const rows = await stack.db.query<{ amount: string; isLinked: boolean }>(
      `select t.amount, c.collection_id is not null as "isLinked" from collection_transfers c join detections d on d.id = c.detection_id
     join transfers t on t.id = d.transfer_id join fiat_collections f on f.wallet_id = c.wallet_id where f.id = $1 order by t.amount`,
      [body.id],
    )
    expect(rows.filter(({ isLinked }) => isLinked)).toHaveLength(1)
    if (chain !== 'stellar') expect(rows.map(({ isLinked }) => isLinked)).toEqual([false, true])
  },
)

test('by webhooks alone it is completed, and its crypto is confirmed on the chain', async () => {
  stack.partner.webhooks.url = toUs()
  const { status, body } = await create()
  expect([status, body.status, body.settlement]).toEqual([201, 'processing', 'none'])
  expect(body.bankAccountNumber).toMatch(/^\d+$/)
  isPaid(body.id)
  await waitFor('the webhook', async () => (await get(body.id)).status === 'completed')
  await settles(body.id)
  stack.partner.webhooks.url = null
})

test('by refresh alone', async () => {
  const { body } = await create()
  isPaid(body.id)
  const { status, body: after } = await stack.api<Collection>(
    'POST',
    `/fiat-collections/${body.id}/refresh-status`,
  )
  expect([status, after.status]).toEqual([200, 'completed'])
  await settles(body.id)
})

test('by the list alone', async () => {
  const { body } = await create()
  isPaid(body.id)
  await stack.db.query('update collection_syncs set next_at = now()')
  await waitFor('a round', async () => (await get(body.id)).status === 'completed')
  await settles(body.id)
})

test('a repeated request makes no second collection, and gets the first answer', async () => {
  const same = { walletAddress: newPayer('ethereum').address }
  const before = stack.partner.collections.all().length
  const [first, again] = [
    await create(same, { 'idempotency-key': 'invoice-1' }),
    await create(same, { 'idempotency-key': 'invoice-1' }),
  ]
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(stack.partner.collections.all()).toHaveLength(before + 1)
})

test('every field that is wrong in any way is a 400 that names it: nothing is stored, and the partner is not queried', async () => {
  const made = async () => [
    stack.partner.asked.filter((path) => path === '/business/receive').length,
    ...(await stack.db.query('select count(*)::int as n from fiat_collections')),
  ]
  const before = await made()
  const wrong = wrongCollections()
  const found: unknown[] = []
  for (const { field, how, body } of wrong) {
    const answer = await stack.api<{ fields?: { field: string }[] }>('POST', '/fiat-collections', body)
    const named = answer.body.fields?.map((each) => each.field) ?? []
    if (answer.status !== 400 || !named.includes(field)) found.push([field, how, answer.status, named])
  }
  expect(found).toEqual([])
  expect(wrong.length).toBeGreaterThan(200)
  expect(await made()).toEqual(before)
})

test('a wrong field of a list is a 400 that names it; unknown ids are 404', async () => {
  for (const [field, query] of wrongQueries) {
    const { status, body } = await stack.api<{ fields?: { field: string }[] }>(
      'GET',
      `/fiat-collections?${query}`,
    )
    expect([query, status, body.fields?.map((each) => each.field)]).toEqual([
      query,
      400,
      expect.arrayContaining([field]),
    ])
  }
  for (const id of ['01a20a31-5c7e-7d14-9b0e-6f2d9c1e4a77', 'x'])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
      ['POST', '/refresh-status'],
    ] as const)
      expect([method, path, (await stack.api(method, `/fiat-collections/${id}${path}`)).status]).toEqual([
        method,
        path,
        404,
      ])
})

test('who pays is nowhere but sealed: in no log, row, job, error or metric, at every outcome of the collection', async () => {
  const redis = new Redis(stack.redis.url)
  const errors: string[] = []
  const recipient = {
    name: 'Canary Payer Eleven',
    country: 'NG',
    phone: '+2348099887766',
    address: '11 Canary Crescent, Lagos',
    dob: '1971-03-29',
    email: 'payer-eleven@canary.example',
    idNumber: 'canary-70123456789',
    idType: 'NIN',
    additionalIdType: 'BVN',
    additionalIdNumber: 'canary-22987654321',
  }
  const redirectUrl = 'https://canary-return.example/paid'
  const wanted = { recipient, redirectUrl, source: { accountType: 'bank' } }
  const asked = async (more: object = {}, headers: Record<string, string> = {}) => {
    const answer = await create({ ...wanted, ...more }, headers)
    if (answer.status >= 400) errors.push(JSON.stringify(answer.body))
    return answer
  }
  try {
    const headers = { 'idempotency-key': 'canary-invoice' }
    const same = { walletAddress: newPayer('ethereum').address }
    const { status, body } = await asked(same, headers)
    expect([status, (await asked(same, headers)).body]).toEqual([201, body])
    expect((await asked({ ...same, amount: '162001' }, headers)).status).toBe(422)
    // Each field is wrong once, together with its value.
    for (const [field, value] of Object.entries(recipient))
      expect([field, (await asked({ recipient: { ...recipient, [field]: `${value}\n` } })).status]).toEqual([
        field,
        400,
      ])
    expect(
      (
        await asked({
          source: { accountType: 'momo', accountNumber: recipient.idNumber, networkId: recipient.email },
        })
      ).status,
    ).toBe(400)
    expect((await asked({ redirectUrl: `${redirectUrl} ` })).status).toBe(400)
    // The partner does not take it, its answer is lost, it answers with what cannot be read: the worker goes
    // on.
    const later: string[] = []
    stack.partner.throttled = 3
    later.push((await asked()).body.id)
    for (const lose of ['answer', 'outcome', 'request'] as const) {
      stack.partner.lose = lose
      later.push((await asked()).body.id)
    }
    stack.partner.mode = 'garbage'
    later.push((await asked()).body.id)
    stack.partner.mode = 'ok'
    // The partner repeats the payer in its answers.
    stack.partner.lie = (given) => ({ ...given, status: 'mystery' })
    await stack.api('POST', `/fiat-collections/${body.id}/refresh-status`)
    stack.partner.lie = null
    await stack.db.query('update fiat_collections set next_at = now() where next_at is not null')
    const isKnown = async (id: string) => (await get(id)).partnerPaymentStatus !== null
    await waitFor('the worker', async () =>
      (await Promise.all(later.slice(0, 3).map(isKnown))).every(Boolean),
    )
    isPaid(body.id)
    await stack.api('POST', `/fiat-collections/${body.id}/refresh-status`)
    await settles(body.id)
    await stack.api('GET', `/fiat-collections?reference=${encodeURIComponent(recipient.email)}`)

    const formsOf = (text: string) => [
      text,
      JSON.stringify(text).slice(1, -1),
      encodeURIComponent(text),
      Buffer.from(text).toString('hex'),
      Buffer.from(text).toString('base64').slice(0, 12),
    ]
    const { country: _, idType: __, additionalIdType: ___, dob, ...others } = recipient
    const canaries = Object.fromEntries(
      Object.entries({ ...others, redirectUrl, dob, dobOfPartner: '03/29/1971' }).map(([name, text]) => [
        name,
        formsOf(text),
      ]),
    )
    const [made] = stack.partner.collections.all().filter(({ sequenceId }) => sequenceId === body.id)
    expect(foundIn(JSON.stringify({ ...made?.given, dob }), canaries)).toEqual(Object.keys(canaries))
    for (const [sink, read] of Object.entries(sinksOf(stack, redis, errors)))
      expect([sink, foundIn(await read(), canaries)]).toEqual([sink, []])
    expect(errors.length).toBeGreaterThan(10)
  } finally {
    Object.assign(stack.partner, { mode: 'ok', lose: null, lie: null, throttled: 0 })
    redis.disconnect()
  }
})
