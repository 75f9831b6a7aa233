import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '../../src/platform/ids.ts'
import { rpc } from '../devnets/evm.ts'
import { fund, newPayer, type Payer } from '../support/payers.ts'
import { rowsOfTransfers } from '../support/preflight.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { strangerTo } from '../support/strangers.ts'
import { waitFor } from '../support/waitFor.ts'

// The operations of transfers as their callers meet them: repeated requests, webhooks, lists. What moves on the chains is for other suites.

type Chain = 'ethereum' | 'stellar'
const chains: readonly Chain[] = ['ethereum', 'stellar']

let stack: Stack
const payers = new Map<Chain, Payer & { walletId: string; to: string }>()

beforeAll(async () => {
  stack = await createStack({ chains: [...chains], confirmations: 1, env: { RPC_TIMEOUT_MS: '5000' } })
  for (const chain of chains) {
    const [payer, recipient] = [newPayer(chain), newPayer(chain)]
    await fund(stack, payer, { native: '500', USDC: '500' })
    await fund(stack, recipient, { native: '10', USDC: '0' })
    const { body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain, privateKey: payer.privateKey })
    payers.set(chain, { ...payer, walletId: body.id, to: recipient.address })
  }
}, 120_000)
afterAll(() => stack?.close())

interface TransferBody {
  id: string
  chain: Chain
  txHash: string | null
  status: string
  walletId: string | null
  blockHeight: number | null
}
interface TransferList {
  transfers: TransferBody[]
  total: number
  page: number
  totalPages: number
  nextCursor: string | null
}
type Headers = Record<string, string>

const of = (chain: Chain) => {
  const payer = payers.get(chain)
  if (!payer) throw new Error(`nobody on ${chain}`)
  return payer
}
const get = async (name: string) => (await stack.api<TransferBody>('GET', `/crypto/transfers/${name}`)).body
const list = async (query: string, headers: Headers) => (await stack.api<TransferList>('GET', `/crypto/transfers?${query}`, undefined, headers)).body
const errorOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { error?: string }).error]

/** By a key that comes with the request, and by a stored wallet's. */
const ways = ['tokens', 'wallet'] as const
function send(way: (typeof ways)[number], chain: Chain, headers: Headers = {}, amount = '1.25') {
  const { privateKey, walletId, to } = of(chain)
  const wanted = { toAddress: to, amount, token: 'usdc', ...(chain === 'stellar' && { memo: '7', memoType: 'id' }) }
  return way === 'tokens'
    ? stack.api<TransferBody>('POST', '/crypto/transfers/tokens', { chain, fromPrivateKey: privateKey, ...wanted }, headers)
    : stack.api<TransferBody>('POST', `/crypto/wallets/${walletId}/transfers`, wanted, headers)
}

/** What the recipient has in the smallest units of USDC, by the chain's own node. */
async function usdcOf(chain: Chain): Promise<bigint> {
  const { to } = of(chain)
  if (chain === 'ethereum') {
    const data = `0x70a08231${to.slice(2).toLowerCase().padStart(64, '0')}`
    return BigInt(String(await rpc(stack.devnet.rpcUrl, 'eth_call', [{ to: stack.devnet.usdc, data }, 'latest'])))
  }
  const account = await (await fetch(`${stack.other('stellar').horizonUrl}/accounts/${to}`)).json()
  const { balances } = account as { balances: { asset_code?: string; balance: string }[] }
  return BigInt((balances.find((each) => each.asset_code === 'USDC')?.balance ?? '0').replace('.', ''))
}
const oneAndAQuarter: Record<Chain, bigint> = { ethereum: 1_250_000n, stellar: 12_500_000n }

/** It moved once, is found by id and hash, and was told once, in a signed webhook with what the API shows. */
async function expectOnce({ id }: TransferBody, chain: Chain, before: bigint): Promise<void> {
  const done = await waitFor('a confirmed transfer', async () => {
    await stack.mine(1, chain)
    const transfer = await get(id)
    return transfer.status === 'confirmed' ? transfer : null
  })
  expect((await usdcOf(chain)) - before).toBe(oneAndAQuarter[chain])
  expect(await get(done.txHash ?? '')).toMatchObject({ id })
  expect(await get((done.txHash ?? '').toUpperCase().replace('0X', '0x'))).toMatchObject({ id })
  await waitFor('the event', async () => stack.receiver.types(id).length > 0)
  await stack.idle()
  expect(stack.receiver.types(id)).toEqual(['transfer.confirmed'])
  const { updatedAt: _, ...shown } = done as TransferBody & { updatedAt: string }
  expect(stack.receiver.about(id)[0]?.data).toMatchObject(shown)
}

describe.each(chains.flatMap((chain) => ways.map((way) => [chain, way] as const)))('on %s (%s)', (chain, way) => {
  const taken = way === 'tokens' ? 201 : 202

  test('the same Idempotency-Key is one transfer and the same answer, long after too; with another body it is refused', async () => {
    const [before, rows, key] = [await usdcOf(chain), await rowsOfTransfers(stack), { 'idempotency-key': newId() }]
    const first = await send(way, chain, key)
    expect(first).toMatchObject({
      status: taken,
      body: { status: 'pending', blockHeight: null, walletId: way === 'wallet' ? of(chain).walletId : null },
    })
    const again = await send(way, chain, key)
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([taken, 'true', first.body])
    expect(errorOf(await send(way, chain, key, '2'))).toEqual([422, 'idempotency_key_reused'])
    expect(errorOf(await send(way === 'tokens' ? 'wallet' : 'tokens', chain, key))).toEqual([422, 'idempotency_key_reused'])
    expect((await rowsOfTransfers(stack)).outgoing).toBe((rows.outgoing ?? 0) + 1)
    await expectOnce(first.body, chain, before)
    expect((await send(way, chain, key)).body).toEqual(first.body)
  })

  test('ten at once with one Idempotency-Key are one transfer; who comes too early is told to come back', async () => {
    const [before, key] = [await usdcOf(chain), { 'idempotency-key': newId() }]
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(way, chain, key)))
    const carriedOut = answers.filter(({ status }) => status === taken)
    expect(new Set(carriedOut.map(({ body }) => body.id)).size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== taken)) {
      expect([...errorOf(answer), answer.headers.get('retry-after')]).toEqual([409, 'request_in_progress', '1'])
    }
    const [first] = carriedOut
    if (!first) throw new Error('nobody was answered')
    await expectOnce(first.body, chain, before)
  })

  test('an Idempotency-Key is not used up by what was refused', async () => {
    const [before, key] = [await usdcOf(chain), { 'idempotency-key': newId() }]
    expect((await send(way, chain, key, '1000000')).status).toBe(422)
    const answer = await send(way, chain, key)
    expect(answer.status).toBe(taken)
    await expectOnce(answer.body, chain, before)
  })
})

test('transfers are listed by chain, token, state and wallet, page by page and by cursor', async () => {
  const mine = await strangerTo(stack)
  const { to } = of('ethereum')
  const from = newPayer('ethereum')
  await fund(stack, from, { native: '10', USDC: '10' })
  const wallet = (await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain: 'ethereum', privateKey: from.privateKey }, mine)).body.id
  const made: string[] = []
  for (const token of ['native', 'usdc', 'native']) {
    const body = { chain: 'ethereum', fromPrivateKey: from.privateKey, toAddress: to, amount: '0.5', token }
    made.push((await stack.api<TransferBody>('POST', '/crypto/transfers/tokens', body, mine)).body.id)
  }
  made.push((await stack.api<TransferBody>('POST', `/crypto/wallets/${wallet}/transfers`, { toAddress: to, amount: '0.5' }, mine)).body.id)
  const ids = ({ transfers }: TransferList) => transfers.map(({ id }) => made.indexOf(id))
  const all = await list('', mine)
  expect([ids(all), all.total, all.totalPages, all.page, all.nextCursor]).toEqual([[3, 2, 1, 0], 4, 1, 1, null])
  expect(ids(await list('sort=ASC&limit=3&page=2', mine))).toEqual([3])
  const first = await list('limit=3', mine)
  expect(ids(await list(`limit=3&cursor=${first.nextCursor}`, mine))).toEqual([0])
  expect(ids(await list('token=usdc', mine))).toEqual([1])
  expect(ids(await list('token=native&sort=ASC', mine))).toEqual([0, 2, 3])
  expect(ids(await list(`walletId=${wallet}`, mine))).toEqual([3])
  expect(ids(await list('chain=stellar', mine))).toEqual([])
  expect(ids(await list('status=pending', mine))).toEqual([3, 2, 1, 0])
  await waitFor('all confirmed', async () => {
    await stack.mine(1, 'ethereum')
    return (await list('status=confirmed', mine)).total === 4
  })
  expect(ids(await list('status=failed', mine))).toEqual([])
  for (const query of [
    'chain=bitcoin',
    'token=dai',
    'status=unknown',
    'walletId=x',
    'page=0',
    'limit=101',
    'cursor=x',
    'from=x',
    'page=101&limit=100',
  ]) {
    const refused = await stack.api<{ fields: { field: string }[] }>('GET', `/crypto/transfers?${query}`, undefined, mine)
    expect([query, refused.status, refused.body.fields.map(({ field }) => field)]).toEqual([query, 400, [query.split('=')[0]]])
  }
})

test('every delivery was signed', () => {
  expect(stack.receiver.received.length).toBeGreaterThanOrEqual(12)
  expect(stack.receiver.forged).toEqual([])
})
