import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withPermissions } from '../support/apiKeyHeaders.ts'
import { addMember, dashboard, sessionOf } from '../support/dashboardSession.ts'
import { createStack, type Stack } from '../support/stack.ts'

// The smallest and the largest amount of a session: what the business chose, and what the chain can hold.

let stack: Stack
let ofOwner: Record<string, string>
beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'solana', 'stellar'] })
  ofOwner = await withPermissions(stack, 'payments:manage')
  await stack.createSession({ chain: 'solana', amount: '1' })
  await stack.createSession({ chain: 'stellar', amount: '1' })
})
afterAll(() => stack?.close())

interface Refused {
  fields?: { field: string; code: string; message: string }[]
}
const setLimits = async (limits: object[]) => {
  const { status, body } = await stack.api<Refused>('PUT', '/settings/amount-limits', { limits }, ofOwner)
  return status === 200 ? null : (body.fields ?? [body])
}
const create = async (body: object) => {
  const answer = await stack.api<Refused>('POST', '/pos/sessions', {
    chain: 'ethereum',
    token: 'USDC',
    ...body,
  })
  return answer.status === 201 ? null : (answer.body.fields ?? [])
}

describe('a session', () => {
  beforeAll(async () => {
    expect(
      await setLimits([
        { token: 'USDC', min: '5', max: '1000' },
        { token: 'USDC', chain: 'stellar', min: '0.0000001' },
      ]),
    ).toBeNull()
  })

  test.each([
    ['4.999999', 'amount_below_minimum'],
    ['1000.000001', 'amount_above_maximum'],
  ])('of %s, a unit beyond a bound, is refused: %s', async (amount, code) => {
    const wrong = await create({ amount })
    expect(wrong).toMatchObject([{ field: 'amount', code }])
    expect(wrong?.[0]?.message).toMatch(/ (5|1000) USDC at (least|most) on ethereum$/)
  })

  test.each(['5', '1000'])('of a bound, %s, is made', async (amount) => {
    expect(await create({ amount })).toBeNull()
  })

  test('on a chain with a limit of its own is not measured by that of the token', async () => {
    expect(await create({ chain: 'stellar', amount: '0.0000001' })).toBeNull()
    expect(await create({ chain: 'stellar', amount: '20000' })).toBeNull()
    expect(await create({ chain: 'solana', amount: '20000' })).toMatchObject([
      { field: 'amount', code: 'amount_above_maximum' },
    ])
  })

  test('in a currency is measured by its amount of the token', async () => {
    expect(await create({ localAmount: '1', localCurrency: 'NGN' })).toMatchObject([
      { field: 'localAmount', code: 'amount_below_minimum' },
    ])
  })

  test('is not made at the price of a quote from before the limits', async () => {
    await setLimits([])
    const quote = { chain: 'ethereum', token: 'USDC', amount: '2' }
    const { body } = await stack.api<{ quoteId: string }>('POST', '/pos/sessions/quote', quote)
    await setLimits([{ token: 'USDC', min: '5', max: '1000' }])
    expect(await create({ quoteId: body.quoteId })).toMatchObject([
      { field: 'quoteId', code: 'amount_below_minimum' },
    ])
    expect((await stack.api<Refused>('POST', '/pos/sessions/quote', quote)).body.fields).toMatchObject([
      { field: 'amount', code: 'amount_below_minimum' },
    ])
  })

  test('at the till is refused in the same way', async () => {
    const { headers } = await sessionOf(stack, await addMember(stack, stack.businessId, 'cashier'))
    const sale = (amount: string) =>
      dashboard<Refused>(
        stack,
        'POST',
        `/businesses/${stack.businessId}/till/sessions`,
        { chain: 'ethereum', token: 'USDC', amount },
        headers,
      )
    expect((await sale('4')).body.fields).toMatchObject([{ field: 'amount', code: 'amount_below_minimum' }])
    expect((await sale('5')).status).toBe(201)
  })
})

describe('what a chain can hold', () => {
  beforeAll(() => setLimits([]))
  test.each([
    ['solana', '18446744073709.551615', '18446744073709.551616'],
    ['stellar', '922337203685.4775807', '922337203685.4775808'],
  ])('bounds a session on %s: %s is possible, %s is not', async (chain, max, beyond) => {
    expect(await create({ chain, amount: max })).toBeNull()
    const wrong = await create({ chain, amount: beyond })
    expect(wrong).toMatchObject([{ field: 'amount', code: 'amount_above_maximum' }])
    expect(wrong?.[0]?.message).toContain(`${chain} can hold ${max} USDC at most`)
  })
})

describe('a payment link', () => {
  const link = (body: object) =>
    stack.api<Refused & { url: string; openAmount: object }>('POST', '/payment-links', body)
  const onEthereum = { accept: [{ chain: 'ethereum', token: 'USDC' }] }
  beforeAll(() => setLimits([{ token: 'USDC', chain: 'ethereum', min: '5', max: '100' }]))

  test('of an amount that none of its choices may have is refused; one that some may have offers these alone', async () => {
    expect((await link({ amount: '2', ...onEthereum })).body.fields).toMatchObject([
      { field: 'amount', code: 'amount_below_minimum' },
    ])
    const { body } = await link({
      amount: '2',
      accept: [...onEthereum.accept, { chain: 'solana', token: 'USDC' }],
    })
    const { choices } = await shown(body.url)
    expect(choices).toEqual([{ chain: 'solana', token: 'USDC' }])
  })

  test('of an open amount shows the bounds of each choice, and refuses an amount outside them', async () => {
    const { body } = await link({ openAmount: {}, ...onEthereum })
    expect((await shown(body.url)).choices).toEqual([
      { chain: 'ethereum', token: 'USDC', min: '5', max: '100' },
    ])
    const pay = (amount: string) =>
      fetch(`${api()}/pay/${tokenOf(body.url)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chain: 'ethereum', token: 'USDC', amount, visit: 'a-visit-of-this-test-1' }),
      })
    expect(await (await pay('4.99')).json()).toMatchObject({
      fields: [{ field: 'amount', code: 'amount_below_minimum' }],
    })
    expect((await pay('5')).status).toBe(201)
  })

  const api = () => `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1`
  const tokenOf = (url: string) => url.split('/').at(-1)
  const shown = async (url: string) =>
    (await (await fetch(`${api()}/pay/${tokenOf(url)}`)).json()) as { choices: object[] }
})

describe('limits', () => {
  test.each([
    [
      'a minimum above the maximum',
      [{ token: 'USDC', min: '2', max: '1' }],
      ['limits.0.max', 'invalid_range'],
    ],
    [
      'the same twice',
      [
        { token: 'USDC', min: '2' },
        { token: 'USDC', max: '3' },
      ],
      ['limits.1', 'duplicate'],
    ],
    ['nothing', [{ token: 'USDC' }], ['limits.0', 'required']],
    ['zero', [{ token: 'USDC', min: '0' }], ['limits.0.min', 'too_small']],
    [
      'more decimals than the chain has',
      [{ token: 'USDC', chain: 'ethereum', min: '0.0000001' }],
      ['limits.0.min', 'too_many_decimals'],
    ],
    ['another chain', [{ token: 'USDC', chain: 'tron', min: '1' }], ['limits.0.chain', 'unavailable_chain']],
  ])('that name %s are refused, and change nothing', async (_, limits, [field, code]) => {
    const kept = [{ token: 'USDC', chain: null, min: '3', max: null }]
    await setLimits(kept)
    expect(await setLimits(limits)).toMatchObject([{ field, code }])
    expect((await stack.api('GET', '/settings/amount-limits')).body).toEqual({ limits: kept })
  })
})
