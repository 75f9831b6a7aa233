import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { formatUnits } from 'viem'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import { otherBusinessHeaders } from '../support/apiKeyHeaders.ts'
import {
  bridgeIs,
  bridgeStatus,
  bridgeWallet,
  mintOn,
  startBridgeStack,
  supplyOn,
  usdcOn,
} from '../support/bridging.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { fund, newPayer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'

let stack: Stack
const chains: ChainName[] = ['base', 'polygon', 'ethereum', 'optimism', 'arbitrum']

beforeAll(async () => {
  stack = await startBridgeStack(chains)
}, 180_000)
afterAll(() => stack?.close())

const request = (body: object, headers: Record<string, string> = {}) =>
  stack.api<BridgeView>('POST', '/bridge/transfer', body, headers)
const treasury = async () =>
  (
    await stack.db.query<{ address: string }>("select address from treasury_addresses where family = 'evm'")
  )[0]?.address
const estimate = (body: object) => stack.api('POST', '/bridge/estimate', body)

describe('USDC of a stored wallet', () => {
  const routes: [ChainName, ChainName][] = [
    ['base', 'polygon'],
    ['polygon', 'ethereum'],
    ['ethereum', 'base'],
    ['optimism', 'arbitrum'],
    ['arbitrum', 'optimism'],
  ]
  const amount = 250_000_001n
  /** With the fee that Circle's stand-in keeps. */
  const ways = [
    { speed: 'standard', automatic: false, fee: 0n },
    { speed: 'fast', automatic: false, fee: 32_501n },
    { speed: 'standard', automatic: true, fee: 110_000n },
    { speed: 'fast', automatic: true, fee: 142_501n },
  ] as const

  test.each(routes)(
    'arrives from %s on %s in each way: the amount less the fee, to the unit, and no coin is made or lost',
    async (source, destination) => {
      stack.circle.forward = mintOn(stack, destination)
      const supplies = async () =>
        [await supplyOn(stack, source), await supplyOn(stack, destination)] as const
      const wallets: { address: string }[] = []
      for (const _ of ways) wallets.push(await bridgeWallet(stack, source))
      const before = await supplies()
      const sent = await Promise.all(
        ways.map(async ({ fee, ...way }, i) => {
          const [sourceAddress, destinationAddress] = [
            wallets[i]?.address ?? '',
            newPayer(destination).address,
          ]
          const wanted = {
            sourceChain: source,
            destinationChain: destination,
            amount: '250.000001',
            sourceAddress,
            destinationAddress,
            ...way,
          }
          expect(await estimate(wanted)).toMatchObject({
            status: 200,
            body: { fastAvailable: true, fee: formatUnits(fee, 6), ...way },
          })
          const { status, body } = await request(wanted)
          expect({ status, body }).toMatchObject({
            status: 201,
            body: { status: 'pending', amount: '250.000001', sourceTxHash: null, ...way },
          })
          return { id: body.id, sourceAddress, destinationAddress, fee, ...way }
        }),
      )
      for (const { id, sourceAddress, destinationAddress, fee, speed, automatic } of sent) {
        const done = await bridgeIs(stack, id, 'completed')
        const shown = {
          fee: formatUnits(fee, 6),
          amountReceived: formatUnits(amount - fee, 6),
          executedSpeed: speed,
          errorMessage: null,
          delay: null,
        }
        expect(done).toMatchObject(shown)
        expect(await usdcOn(stack, destination, destinationAddress)).toBe(amount - fee)
        expect(await usdcOn(stack, source, sourceAddress)).toBe(1_000_000_000n - amount)
        const mint = await stack
          .client(destination)
          .getTransaction({ hash: done.destinationTxHash as `0x${string}` })
        expect([mint.from.toLowerCase() === (await treasury()), automatic]).toEqual([!automatic, automatic])
        const asked = stack.circle.asked.filter(({ path }) => path.includes(done.sourceTxHash ?? '-'))
        expect(asked.length).toBeLessThanOrEqual(4)
      }
      const after = await supplies()
      const moved = amount * BigInt(ways.length)
      expect([after[0] - before[0], after[1] - before[1]]).toEqual([-moved, moved])
    },
    180_000,
  )

  test('is shown in the list, and its events are recorded in order', async () => {
    const { body } = await stack.api<{ transfers: BridgeView[]; total: number }>(
      'GET',
      '/bridge/transfers?status=completed&sourceChain=base',
    )
    const [transfer] = body.transfers
    expect([body.total, body.transfers.map(({ destinationChain }) => destinationChain)]).toEqual([
      4,
      Array(4).fill('polygon'),
    ])
    const { body: events } = await stack.api<{ events: { type: string; data: BridgeView }[] }>(
      'GET',
      '/events?limit=100&type=bridge.*',
    )
    const own = events.events.filter(({ data }) => data.id === transfer?.id)
    expect(own.map(({ type, data }) => [type, data.status])).toEqual([
      ['bridge.in_progress', 'in_progress'],
      ['bridge.completed', 'completed'],
    ])
    expect(own[1]?.data).toEqual(transfer)
  })

  test('of several transfers at once arrives, although each allowance replaces the one before', async () => {
    const wallet = await bridgeWallet(stack, 'base')
    const recipient = newPayer('polygon').address
    const wanted = {
      sourceChain: 'base',
      destinationChain: 'polygon',
      sourceAddress: wallet.address,
      destinationAddress: recipient,
    }
    const made = await Promise.all(['10', '20', '30'].map((amount) => request({ ...wanted, amount })))
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    for (const { body } of made) await bridgeIs(stack, body.id, 'completed')
    expect(await usdcOn(stack, 'polygon', recipient)).toBe(60_000_000n)
  }, 120_000)
})

describe('a request is refused by name:', () => {
  const base = { sourceChain: 'base', destinationChain: 'polygon', amount: '5' }
  const refused: [string, object, number, string, string | null][] = [
    ['a source without a bridge', { sourceChain: 'bsc' }, 400, 'route_not_supported', 'sourceChain'],
    [
      'a destination without a bridge',
      { destinationChain: 'tron' },
      400,
      'route_not_supported',
      'destinationChain',
    ],
    ['stellar', { destinationChain: 'stellar' }, 400, 'route_not_supported', 'destinationChain'],
    ['one chain twice', { destinationChain: 'base' }, 400, 'route_not_supported', 'destinationChain'],
    ['an unknown chain', { sourceChain: 'nowhere' }, 400, 'Invalid request body', 'sourceChain'],
    ['seven decimals', { amount: '1.0000001' }, 400, 'Invalid request body', 'amount'],
    ['nothing', { amount: '0' }, 400, 'Invalid request body', 'amount'],
    ['too little', { amount: '0.5' }, 422, 'amount_too_small', 'amount'],
    ['more than one burn may be', { amount: '10000001' }, 422, 'amount_too_large', 'amount'],
    ['no address', { destinationAddress: 'somebody' }, 400, 'invalid_address', 'destinationAddress'],
    [
      'an address of another family',
      { destinationAddress: newPayer('solana').address },
      400,
      'wrong_chain_address',
      'destinationAddress',
    ],
    ['no address of a wallet', { sourceAddress: 'somebody' }, 400, 'invalid_address', 'sourceAddress'],
    [
      'a wallet of another family',
      { sourceAddress: newPayer('solana').address },
      400,
      'wrong_chain_address',
      'sourceAddress',
    ],
    ['neither automatic nor not', { automatic: 'maybe' }, 400, 'Invalid request body', 'automatic'],
    ['another speed', { speed: 'faster' }, 400, 'Invalid request body', 'speed'],
    ['a fee above the maximum', { speed: 'fast', maxFee: '0.000001' }, 422, 'fee_too_high', 'maxFee'],
    ['a maximum with seven decimals', { maxFee: '0.0000001' }, 400, 'Invalid request body', 'maxFee'],
    ['more than the wallet has', { amount: '2000' }, 422, 'insufficient_balance', null],
  ]
  let wallet: { address: string; walletId: string }
  beforeAll(async () => {
    wallet = await bridgeWallet(stack, 'base')
  }, 60_000)

  test.each(refused)('%s', async (_what, wrong, status, error, field) => {
    const recipient = newPayer('polygon').address
    const answer = await request({
      ...base,
      sourceAddress: wallet.address,
      destinationAddress: recipient,
      ...wrong,
    })
    expect(answer).toMatchObject({ status, body: { error, ...(field !== null && { fields: [{ field }] }) } })
  })

  test('the token itself as the recipient', async () => {
    const destinationAddress = stack.devnets.get('polygon')?.usdc ?? ''
    const answer = await request({ ...base, sourceAddress: wallet.address, destinationAddress })
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'recipient_is_token', fields: [{ field: 'destinationAddress' }] },
    })
  })

  test('no stored wallet, an archived one, and one without coin', async () => {
    const destinationAddress = newPayer('polygon').address
    const stranger = newPayer('base')
    expect(await request({ ...base, sourceAddress: stranger.address, destinationAddress })).toMatchObject({
      status: 404,
    })
    const { body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
      chain: 'base',
      privateKey: stranger.privateKey,
    })
    const poor = await request({ ...base, sourceAddress: stranger.address, destinationAddress })
    expect(poor).toMatchObject({ status: 422, body: { error: 'insufficient_balance' } })
    await stack.api('POST', `/crypto/wallets/${body.id}/archive`)
    const archived = await request({ ...base, sourceAddress: stranger.address, destinationAddress })
    expect(archived).toMatchObject({ status: 409, body: { error: 'wallet_archived' } })
  })

  test('a wallet without gas, and one of another business', async () => {
    const destinationAddress = newPayer('polygon').address
    const dry = newPayer('base')
    await fund(stack, dry, { USDC: '10' })
    await stack.api('POST', '/crypto/wallets', { chain: 'base', privateKey: dry.privateKey })
    const refusedDry = await request({ ...base, sourceAddress: dry.address, destinationAddress })
    expect(refusedDry).toMatchObject({ status: 422, body: { error: 'insufficient_native_balance' } })
    const businessId = await addBusiness(stack, await addPerson(stack))
    await stack.db.query('update wallets set business_id = $2 where address = $1', [
      dry.address.toLowerCase(),
      businessId,
    ])
    expect(await request({ ...base, sourceAddress: dry.address, destinationAddress })).toMatchObject({
      status: 404,
    })
  })

  test('fast, where the route is only standard', async () => {
    const { fees } = stack.circle
    stack.circle.fees = { 2000: 0 }
    const answer = await request({
      ...base,
      sourceAddress: wallet.address,
      destinationAddress: newPayer('polygon').address,
      speed: 'fast',
    })
    stack.circle.fees = fees
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'fast_not_available', fields: [{ field: 'speed' }] },
    })
  })

  test('a transfer of another business is not found', async () => {
    const { body } = await request({
      ...base,
      sourceAddress: wallet.address,
      destinationAddress: newPayer('polygon').address,
    })
    const path = `/bridge/transfer/${body.id}/status`
    expect(await stack.api('GET', path)).toMatchObject({ status: 200 })
    expect(await stack.api('GET', path, undefined, await otherBusinessHeaders(stack))).toMatchObject({
      status: 404,
    })
    expect((await bridgeStatus(stack, 'no id')) as object).toMatchObject({ error: expect.anything() })
  })
})
