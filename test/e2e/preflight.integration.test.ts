import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Operation } from '@stellar/stellar-sdk'
import { formatUnits, parseUnits } from 'viem'
import { type ChainName, chainNames, knownChain } from '../../src/chains/registry.ts'
import { sendOnStellar } from '../devnets/customers/stellar.ts'
import { decimalsOf, fund, type Holdings, newPayer, type Payer } from '../support/payers.ts'
import { ask, type Body, holdingsOn, rowsOfTransfers, type Way, ways } from '../support/preflight.ts'
import { byFamily, tokensAsRecipients } from '../support/refusedByChain.ts'
import { badAddresses, badAmounts, badKeys, badTokens, hasUsdc, hasUsdt, type Place, tokenBody, tokenOf } from '../support/refusedRequests.ts'
import { type ApiAnswer, createStack, type Stack } from '../support/stack.ts'

// What is refused before anything is signed: on every chain, by every operation that sends or tells what sending would cost.

let stack: Stack
const places = new Map<ChainName, Place & { payer: Stored; poor: Stored }>()
let before: unknown

interface Stored extends Payer {
  walletId: string
}

const tokens = '50'

beforeAll(async () => {
  stack = await createStack({ chains: [...chainNames], processes: ['treasury', 'api'], env: { RPC_TIMEOUT_MS: '5000' } })
  await Promise.all(chainNames.map(open))
  before = await holdings()
}, 180_000)
afterAll(() => stack?.close())

async function open(chain: ChainName): Promise<void> {
  const held = { ...(hasUsdc(chain) && { USDC: tokens }), ...(hasUsdt(chain) && { USDT: tokens }) }
  const payer = await stored(chain, { native: '100', ...held })
  // What is not held on Stellar is no trustline either.
  const poor = await stored(chain, { native: chain === 'stellar' ? '4' : '2' })
  const recipient = await somebody(chain, chain === 'stellar' ? { native: '10', USDC: '0', USDT: '0' } : { native: '1' })
  const place = { stack, chain, payer, poor, recipient: recipient.address, bare: '', shop: '' }
  places.set(chain, chain === 'stellar' ? { ...place, ...(await placesOnStellar()) } : place)
}

async function somebody(chain: ChainName, holdings: Holdings): Promise<Payer> {
  const payer = newPayer(chain)
  await fund(stack, payer, holdings)
  return payer
}

async function stored(chain: ChainName, holdings: Holdings): Promise<Stored> {
  const payer = await somebody(chain, holdings)
  const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain, privateKey: payer.privateKey })
  if (status !== 201) throw new Error(`the wallet of ${chain} was not stored: ${JSON.stringify(body)}`)
  return { ...payer, walletId: body.id }
}

async function placesOnStellar() {
  const [bare, shop] = [await somebody('stellar', { native: '10' }), await somebody('stellar', { native: '10' })]
  const purse = { ...stack.other('stellar'), faucetPrivateKey: shop.privateKey }
  await sendOnStellar(purse, [Operation.manageData({ name: 'config.memo_required', value: '1' })])
  await stack.mine(1, 'stellar')
  return { bare: bare.address, shop: shop.address }
}

const at = (chain: ChainName) => {
  const place = places.get(chain)
  if (!place) throw new Error(`nothing on ${chain}`)
  return place
}

/** What all who could send have, by the chains' own nodes. */
const holdings = () =>
  Promise.all([...places].flatMap(([chain, { payer, poor }]) => [payer, poor].map(({ address }) => holdingsOn(stack, chain, address))))

interface Refused {
  error: string
  message: string
  fields?: { field: string; message: string }[]
}
interface Estimate {
  missing: { symbol: string; missing: string; required: string; available: string }[]
}

describe.each(chainNames.map((chain) => [chain] as const))('%s', (chain) => {
  const usual = chain === 'stellar' ? '2' : '0.5'
  const call = <T = Refused>(way: Way, body: Body, from: Payer & { walletId?: string } = at(chain).payer) =>
    ask<T>(stack, way, from, { toAddress: at(chain).recipient, amount: usual, ...body })

  test('would carry out a transfer of coin and one of a token, if nothing were wrong with them', async () => {
    for (const body of [{}, tokenBody(chain)]) {
      expect(await call('estimate', body)).toMatchObject({ status: 200, body: { chain, sufficient: true, missing: [] } })
    }
  })

  const table = [
    ...badKeys(chain),
    ...badAddresses(chain),
    ...badAmounts(chain, chain === 'bsc' ? 18 : chain === 'stellar' ? 7 : 6),
    ...badTokens(chain),
    ...tokensAsRecipients(chain),
    ...byFamily(chain),
  ]
  test.each(table.map((each) => [each.name, each] as const))('refuses %s, with a reason and the field, and does nothing', async (_name, refusal) => {
    const rows = await rowsOfTransfers(stack)
    for (const way of refusal.ways ?? ways) {
      const { status, body } = await call(way, refusal.body(at(chain)))
      expect({ way, status, error: body.error }).toEqual({ way, status: refusal.status ?? 400, error: refusal.error })
      expect([way, body.fields?.map(({ field }) => field)]).toEqual([way, refusal.fields])
      expect(body.message).not.toBe('')
      if (refusal.namesChain) expect(body.message).toContain(chain)
    }
    expect(await rowsOfTransfers(stack)).toEqual(rows)
  })

  /** The same shortage in each operation's own way. */
  function expectShort(way: Way, answer: ApiAnswer<unknown>, error: string, missing: object): void {
    if (way === 'estimate') expect(answer).toMatchObject({ status: 200, body: { sufficient: false, missing: [missing] } })
    else expect([way, answer.status, answer.body]).toEqual([way, 422, expect.objectContaining({ error, missing })])
  }

  test('refuses more tokens than there are, and says exactly how many are missing', async () => {
    const rows = await rowsOfTransfers(stack)
    const least = formatUnits(1n, decimalsOf(stack, chain).token)
    const required = `${tokens}${least.slice(1)}`
    const missing = { symbol: tokenOf(chain).toUpperCase(), missing: least, required, available: tokens }
    for (const way of ways) expectShort(way, await call(way, { ...tokenBody(chain), amount: required }), 'insufficient_balance', missing)
    expect(await call('estimate', { ...tokenBody(chain), amount: tokens })).toMatchObject({ body: { sufficient: true } })
    expect(await rowsOfTransfers(stack)).toEqual(rows)
  })

  test('refuses what the coin does not suffice for, fee included, and says how much is missing', async () => {
    const rows = await rowsOfTransfers(stack)
    const { poor } = at(chain)
    const [shortage] = (await call<Estimate>('estimate', { amount: '3' }, poor)).body.missing
    expect(shortage).toMatchObject({ symbol: knownChain(chain)?.native.symbol })
    for (const way of ways) expectShort(way, await call(way, { amount: '3' }, poor), 'insufficient_native_balance', { ...shortage })
    expect(await rowsOfTransfers(stack)).toEqual(rows)
  })

  test('is right about what is missing: with the smallest part of it less it would be refused, with all of it not', async () => {
    const from = newPayer(chain)
    const estimate = async () => (await call<Estimate>('estimate', { amount: '3' }, from)).body
    const [all] = (await estimate()).missing
    // An address that the chain has never seen.
    expect(all).toMatchObject({ available: '0', missing: all?.required })
    const { native: decimals } = decimalsOf(stack, chain)
    await fund(stack, from, { native: '2' })
    const [rest] = (await estimate()).missing
    const least = formatUnits(1n, decimals)
    await fund(stack, from, { native: formatUnits(parseUnits(rest?.missing ?? '', decimals) - 1n, decimals) })
    expect(await estimate()).toMatchObject({ sufficient: false, missing: [{ missing: least }] })
    await fund(stack, from, { native: least })
    expect(await estimate()).toMatchObject({ sufficient: true, missing: [] })
  })
})

test('after all of that nothing was sent on any chain', async () => {
  await Promise.all(chainNames.map((chain) => stack.mine(1, chain)))
  expect(await holdings()).toEqual(before)
})

/** Of a process that reaches no node. */
const deafApi: Pick<Stack, 'api'> = {
  async api<T>(method: string, path: string, body?: unknown) {
    const url = `http://127.0.0.1:${stack.processes.get('deaf')?.port()}/api/v1${path}`
    const headers = { 'x-api-key': stack.apiKey, 'content-type': 'application/json' }
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as T, headers: response.headers }
  },
}

describe('while no node answers', () => {
  beforeAll(async () => {
    // Nobody listens at port 1.
    const nowhere = Object.fromEntries(chainNames.map((name) => [`${name.toUpperCase()}_RPC_URLS`, 'http://127.0.0.1:1']))
    await stack.start('api', { ...nowhere, STELLAR_HORIZON_URLS: 'http://127.0.0.1:1' }, { as: 'deaf' })
  })

  test.each(chainNames)('%s: it is told that the chain cannot be asked and when to come back, and nothing is kept', async (chain) => {
    const rows = await rowsOfTransfers(stack)
    const { payer, recipient: toAddress } = at(chain)
    for (const { status, body, headers } of await Promise.all(ways.map((way) => ask<Refused>(deafApi, way, payer, { toAddress, amount: '2' })))) {
      expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'chain_unavailable', '5'])
      expect(JSON.stringify(body)).not.toContain('127.0.0.1')
    }
    const balance = await deafApi.api<Refused>('POST', '/crypto/wallets/balance', { chain, address: toAddress })
    expect([balance.status, balance.body.error]).toEqual([503, 'chain_unavailable'])
    expect(await rowsOfTransfers(stack)).toEqual(rows)
  })
})
