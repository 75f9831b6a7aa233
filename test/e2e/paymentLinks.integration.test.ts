import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { maxWaiting } from '../../src/paymentLinks/payByLink.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { sessionOfToken } from '../../src/sessions/checkout/checkoutToken.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

// Payment links: what a business makes of them, and what a customer without a credential can do.

let stack: Stack

beforeAll(async () => {
  stack = await createStack({
    processes: ['cowry'],
    chains: ['ethereum', 'solana'],
    confirmations: 1,
  })
})
afterAll(() => stack?.close())

interface LinkBody {
  id: string
  url: string
  status: string
  label: string | null
  sessions: number
  paidSessions: number
  openAmount: object | null
  expiresAt: string
  error?: string
  fields?: { field: string; message: string }[]
}
interface ChosenBody {
  checkoutUrl: string
  error?: string
  message?: string
  fields?: { field: string; message: string }[]
}

const unit = 1_000_000n
const tokenOf = ({ url }: Pick<LinkBody, 'url'>) => url.split('/').at(-1) ?? ''
const newVisit = () => randomBytes(16).toString('base64url')
const create = (body: object) => stack.api<LinkBody>('POST', '/payment-links', body)
async function make(body: object): Promise<LinkBody> {
  const { status, body: link } = await create(body)
  expect([status, link.fields]).toEqual([201, undefined])
  return link
}
const read = async (id: string) => (await stack.api<LinkBody>('GET', `/payment-links/${id}`)).body
const anonymous = { 'x-api-key': '' }
const look = (link: Pick<LinkBody, 'url'>) =>
  stack.api<Record<string, unknown>>('GET', `/pay/${tokenOf(link)}`, undefined, anonymous)
const ethereum = { chain: 'ethereum', token: 'USDC' }
const choose = (link: Pick<LinkBody, 'url'>, choice: object = {}) =>
  stack.api<ChosenBody>(
    'POST',
    `/pay/${tokenOf(link)}`,
    { ...ethereum, visit: newVisit(), ...choice },
    anonymous,
  )
/** The session of a choice. */
async function chosen(link: Pick<LinkBody, 'url'>, choice: object = {}): Promise<SessionBody> {
  const { status, body } = await choose(link, choice)
  expect([status, body.fields ?? body.error]).toEqual([201, undefined])
  return stack.session(idOf(body))
}
const idOf = ({ checkoutUrl }: ChosenBody) =>
  sessionOfToken(new Secret(appKey), checkoutUrl.split('/').at(-1) ?? '') ?? ''
async function payInFull(session: SessionBody): Promise<void> {
  await stack.pay(session)
  await stack.mine()
  await waitFor('paid', async () => (await stack.session(session.id)).status === 'paid')
}

describe('a customer', () => {
  test('sees what to choose from, and of the business its name alone; no price is told', async () => {
    const link = await make({ amount: '25.5', label: 'Invoice 7', reference: 'secret-reference' })
    const { status, body } = await look(link)
    expect(status).toBe(200)
    const [business] = await stack.db.query<{ name: string }>('select name from businesses where id = $1', [
      stack.businessId,
    ])
    expect(body).toEqual({
      merchant: business?.name,
      label: 'Invoice 7',
      status: 'active',
      amount: '25.5',
      localAmount: null,
      localCurrency: null,
      openAmount: null,
      choices: [
        { chain: 'ethereum', token: 'USDC' },
        { chain: 'ethereum', token: 'USDT' },
        { chain: 'solana', token: 'USDC' },
        { chain: 'solana', token: 'USDT' },
      ],
    })
    for (const secret of [link.id, stack.businessId, 'secret-reference'])
      expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('gets a session at the choice, of the label and reference of the link, which it names', async () => {
    const link = await make({ amount: '25.5', label: 'Invoice 7', reference: 'INV-7', expirySeconds: 3600 })
    const session = await chosen(link, { chain: 'solana' })
    expect(session).toMatchObject({
      chain: 'solana',
      token: 'USDC',
      amountExpected: '25.5',
      label: 'Invoice 7',
      reference: 'INV-7',
      linkId: link.id,
      status: 'pending',
    })
    expect(Date.parse(session.expiresAt) - Date.parse(String(session.createdAt))).toBe(3_600_000)
    const { body } = await stack.api<{ sessions: SessionBody[]; total: number }>(
      'GET',
      `/pos/sessions?linkId=${link.id}`,
    )
    expect([body.total, body.sessions.map(({ id }) => id)]).toEqual([1, [session.id]])
    expect(await read(link.id)).toMatchObject({ sessions: 1, paidSessions: 0, status: 'active' })
    const { body: events } = await stack.api<{ events: { data: { linkId?: string } }[] }>(
      'GET',
      '/events?type=session.created',
    )
    expect(events.events.some(({ data }) => data.linkId === link.id)).toBe(true)
  })

  test('pays a local amount at the price of the moment of the choice', async () => {
    const link = await make({ localAmount: '25000', localCurrency: 'NGN' })
    const session = await chosen(link)
    expect(session).toMatchObject({ localAmount: '25000', localCurrency: 'NGN' })
    expect(session.rate).not.toBeNull()
    const { body: quote } = await stack.api<{ amount: string }>('POST', '/pos/sessions/quote', {
      ...ethereum,
      localAmount: '25000',
      localCurrency: 'NGN',
    })
    expect(session.amountExpected).toBe(quote.amount)
  })

  test('who comes back gets the waiting session again; another choice or visit gets another address', async () => {
    const link = await make({ amount: '10' })
    const visit = newVisit()
    const [first, again] = [await choose(link, { visit }), await choose(link, { visit })]
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    const other = await choose(link, { visit, token: 'USDT' })
    const stranger = await choose(link)
    expect(new Set([first, other, stranger].map(({ body }) => body.checkoutUrl)).size).toBe(3)
    // Pressed many times at once.
    const eager = newVisit()
    const many = await Promise.all(Array.from({ length: 6 }, () => choose(link, { visit: eager })))
    expect(new Set(many.map(({ body }) => body.checkoutUrl)).size).toBe(1)
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await read(link.id)).toMatchObject({ sessions: 4 })
  })

  test('a link opened by three: three sessions, three addresses, one is paid, the others are not', async () => {
    const link = await make({ amount: '10' })
    const sessions = await Promise.all([chosen(link), chosen(link), chosen(link)])
    expect(new Set(sessions.map(({ address }) => address)).size).toBe(3)
    const [first, ...others] = sessions
    if (!first) throw new Error('no session')
    await payInFull(first)
    for (const { id } of others)
      expect(await stack.session(id)).toMatchObject({ status: 'pending', amountReceived: '0' })
    expect(await read(link.id)).toMatchObject({ sessions: 3, paidSessions: 1, status: 'active' })
  })

  test('names an open amount within its bounds, in the currency or in the token', async () => {
    const local = await make({ openAmount: { localCurrency: 'NGN', min: '500', max: '100000' } })
    expect((await look(local)).body).toMatchObject({
      openAmount: { localCurrency: 'NGN', decimals: 2, min: '500', max: '100000' },
      localCurrency: null,
    })
    expect(await chosen(local, { amount: '1500.5' })).toMatchObject({
      localAmount: '1500.5',
      localCurrency: 'NGN',
    })
    const token = await make({ openAmount: {} })
    expect((await look(token)).body).toMatchObject({
      openAmount: { localCurrency: null, decimals: 6, min: null, max: null },
    })
    expect(await chosen(token, { amount: '0.000001' })).toMatchObject({ amountExpected: '0.000001' })
    for (const [link, amount] of [
      [local, undefined],
      [local, '499.99'],
      [local, '100000.01'],
      [local, '1500.555'],
      [token, '0'],
      [token, '1.0000001'],
      [await make({ amount: '10' }), '10'],
    ] as const) {
      const { status, body } = await choose(link, amount === undefined ? {} : { amount })
      expect([amount, status, body.fields?.[0]?.field]).toEqual([amount, 400, 'amount'])
    }
  })

  test('chooses only what the link and the business accept', async () => {
    const link = await make({ amount: '10', accept: [{ chain: 'solana', token: 'USDC' }] })
    expect((await look(link)).body).toMatchObject({ choices: [{ chain: 'solana', token: 'USDC' }] })
    for (const choice of [ethereum, { chain: 'solana', token: 'USDT' }, { chain: 'tron', token: 'USDT' }]) {
      const { status, body } = await choose(link, choice)
      expect([status, body.fields?.[0]?.field]).toEqual([400, 'token'])
    }
    await chosen(link, { chain: 'solana' })
    const accepted = JSON.stringify({ ethereum: ['USDC'] })
    await stack.db.query('update businesses set accepted = $2 where id = $1', [stack.businessId, accepted])
    try {
      expect((await look(link)).body).toMatchObject({ choices: [] })
      expect((await choose(link, { chain: 'solana' })).status).toBe(400)
    } finally {
      await stack.db.query('update businesses set accepted = null where id = $1', [stack.businessId])
    }
  })
})

describe('a link that takes no payment says why', () => {
  test('disabled, and taken up again; who has a waiting session keeps it', async () => {
    const link = await make({ amount: '10' })
    const visit = newVisit()
    const { body: before } = await choose(link, { visit })
    await stack.api('PATCH', `/payment-links/${link.id}`, { disabled: true })
    expect((await look(link)).body).toMatchObject({ status: 'disabled', choices: [] })
    expect(await choose(link)).toMatchObject({ status: 409, body: { error: 'link_disabled' } })
    expect(await choose(link, { visit })).toMatchObject({ status: 200, body: before })
    await stack.api('PATCH', `/payment-links/${link.id}`, { disabled: false, label: 'Again' })
    expect(await read(link.id)).toMatchObject({ status: 'active', disabledAt: null, label: 'Again' })
    await chosen(link)
  })

  test('expired, or of a business that is suspended', async () => {
    const link = await make({ amount: '10' })
    await stack.db.query(`update payment_links set expires_at = now() - interval '1 second' where id = $1`, [
      link.id,
    ])
    expect((await look(link)).body).toMatchObject({ status: 'expired', choices: [] })
    expect(await choose(link)).toMatchObject({ status: 409, body: { error: 'link_expired' } })
    const other = await make({ amount: '10' })
    await stack.db.query(`update businesses set approval = 'suspended' where id = $1`, [stack.businessId])
    try {
      expect((await look(other)).body).toMatchObject({ status: 'disabled' })
      expect(await choose(other)).toMatchObject({ status: 409, body: { error: 'link_disabled' } })
    } finally {
      await stack.db.query(`update businesses set approval = 'approved' where id = $1`, [stack.businessId])
    }
  })

  test('used, once a payment of its only session is seen; choices before that stay possible', async () => {
    const link = await make({ amount: '10', maxSessions: 1 })
    const visit = newVisit()
    const session = await chosen(link, { visit })
    // The customer turns to another network without having paid.
    await chosen(link, { visit, chain: 'solana' })
    await stack.send(session.address, 4n * unit)
    await stack.mine()
    await waitFor('seen', async () => (await stack.session(session.id)).amountReceived === '4')
    expect((await look(link)).body).toMatchObject({ status: 'used', choices: [] })
    expect(await choose(link)).toMatchObject({ status: 409, body: { error: 'link_used' } })
    expect((await choose(link, { visit })).status).toBe(200)
    await stack.send(session.address, 6n * unit)
    await stack.mine()
    await waitFor('paid', async () => (await stack.session(session.id)).status === 'paid')
    expect(await choose(link)).toMatchObject({ status: 409, body: { error: 'link_used' } })
    const { body } = await stack.api<{ links: LinkBody[] }>('GET', '/payment-links?status=used')
    expect(body.links.map(({ id }) => id)).toEqual([link.id])
  })

  test('too many sessions wait: no further one is made, in words that say when to try again', async () => {
    const link = await make({ amount: '10' })
    const { id } = await chosen(link)
    await stack.db.query(
      `insert into pos_sessions (id, business_id, chain, token, family, address, amount_expected, fx_margin_percent, fee, fee_currency,
         required_confirmations, created_at, expires_at, link_id)
       select gen_random_uuid(), business_id, chain, token, family, gen_random_uuid()::text, amount_expected, fx_margin_percent, fee,
         fee_currency, required_confirmations, created_at, expires_at, link_id
       from pos_sessions, generate_series(1, $2) where id = $1`,
      [id, maxWaiting - 2],
    )
    await chosen(link)
    const { status, body } = await choose(link)
    expect([status, body.error]).toEqual([409, 'link_busy'])
    expect(body.message).toBe(
      'Too many people are paying with this link right now; try again in some minutes',
    )
    expect(await read(link.id)).toMatchObject({ sessions: maxWaiting })
    await stack.db.query(`update pos_sessions set status = 'expired' where link_id = $1 and id <> $2`, [
      link.id,
      id,
    ])
    await chosen(link)
  })

  test('too many choices of one network in a minute are refused', async () => {
    const link = await make({ amount: '10' })
    const visit = newVisit()
    const statuses = []
    for (let i = 0; i < 21; i++) statuses.push((await choose(link, { visit })).status)
    expect(statuses).toEqual([201, ...Array(19).fill(200), 429])
    // Of another link it is another count.
    expect((await choose(await make({ amount: '10' }))).status).toBe(201)
  })

  test('none is found by an id, or by a token that no link has', async () => {
    const link = await make({ amount: '10' })
    const changed = tokenOf(link).replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    for (const token of [link.id, changed, `${tokenOf(link)}A`, 'x', '%00']) {
      const url = `/${token}`
      expect([token, (await look({ url })).status]).toEqual([token, 404])
      expect([token, (await choose({ url })).status]).toEqual([token, 404])
    }
  })
})

describe('a business', () => {
  test('makes one link of one request, however often it is repeated', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const send = () => stack.api<LinkBody>('POST', '/payment-links', { amount: '10' }, headers)
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect(Date.parse(first.body.expiresAt) - Date.now()).toBeGreaterThan(364 * 24 * 3_600_000)
  })

  test.each([
    [{}, ['amount', 'localAmount', 'openAmount']],
    [{ amount: '1', openAmount: {} }, ['amount', 'openAmount']],
    [{ amount: '0' }, ['amount']],
    [{ amount: '1.0000001' }, ['amount']],
    [{ localAmount: '1.005', localCurrency: 'NGN' }, ['localAmount']],
    [{ amount: '1', localCurrency: 'NGN' }, ['localCurrency']],
    [{ openAmount: { localCurrency: 'XXX' } }, ['openAmount.localCurrency']],
    [{ openAmount: { localCurrency: 'NGN', min: '5', max: '4' } }, ['openAmount.max']],
    [{ amount: '1', accept: [{ chain: 'tron', token: 'USDT' }] }, ['accept.0.chain']],
    [{ amount: '1', accept: [ethereum, ethereum] }, ['accept.1']],
    [{ amount: '1', accept: [] }, ['accept']],
    [{ amount: '1', maxSessions: 0 }, ['maxSessions']],
    [{ amount: '1', expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt']],
    [{ amount: '1', expiresAt: '2999-01-01T00:00:00Z' }, ['expiresAt']],
    [{ amount: '1', label: '\u0000' }, ['label']],
  ])('is told what is wrong with %j', async (body, fields) => {
    const { status, body: answer } = await create(body)
    expect([status, answer.fields?.map(({ field }) => field)]).toEqual([400, fields])
  })

  test('lists its links by state, reference and time, page by page and as CSV', async () => {
    const reference = `list-${newId()}`
    const ids = []
    for (let i = 0; i < 3; i++) ids.unshift((await make({ amount: '1', reference, label: `=${i}` })).id)
    await stack.api('PATCH', `/payment-links/${ids[1]}`, { disabled: true })
    const list = async (query: string) =>
      (
        await stack.api<{ links: LinkBody[]; total: number; nextCursor: string | null }>(
          'GET',
          `/payment-links?reference=${reference}${query}`,
        )
      ).body
    const first = await list('&limit=2')
    expect([first.total, first.links.map(({ id }) => id)]).toEqual([3, ids.slice(0, 2)])
    const rest = await list(`&limit=2&cursor=${first.nextCursor}`)
    expect(rest.links.map(({ id }) => id)).toEqual(ids.slice(2))
    expect((await list('&status=disabled')).links.map(({ id }) => id)).toEqual([ids[1]])
    expect((await list('&status=active&sort=ASC')).links.map(({ id }) => id)).toEqual([ids[2], ids[0]])
    expect((await list('&until=2020-01-01T00:00:00Z')).total).toBe(0)
    const response = await fetch(
      `http://127.0.0.1:${stack.processes.get('cowry')?.port()}/api/v1/payment-links?reference=${reference}`,
      { headers: { accept: 'text/csv', 'x-api-key': stack.apiKey } },
    )
    const lines = (await response.text()).trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^id,url,status,/)
    expect(lines[1]).toContain("'=2")
  })

  test('does not find the links of another business', async () => {
    const link = await make({ amount: '10' })
    const [other] = await stack.db.query<{ id: string }>(
      `insert into businesses (id, name, approval) values ($1, 'Other', 'approved') returning id`,
      [newId()],
    )
    await stack.db.query('update payment_links set business_id = $2 where id = $1', [link.id, other?.id])
    expect((await stack.api('GET', `/payment-links/${link.id}`)).status).toBe(404)
    expect((await stack.api('PATCH', `/payment-links/${link.id}`, { disabled: true })).status).toBe(404)
    expect((await stack.api('GET', `/pos/sessions?linkId=${link.id}`)).body).toMatchObject({ total: 0 })
  })
})
