import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parseUnits } from 'viem'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import { otherBusinessHeaders } from '../support/apiKeyHeaders.ts'
import { bridgeIs, bridgeStatus, bridgeWallet, startBridgeStack, supplyOn, usdcOn } from '../support/bridging.ts'
import { newPayer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'

let stack: Stack
const chains: ChainName[] = ['base', 'polygon', 'ethereum']

beforeAll(async () => {
  stack = await startBridgeStack(chains)
}, 180_000)
afterAll(() => stack?.close())

const request = (body: object, headers: Record<string, string> = {}) => stack.api<BridgeView>('POST', '/bridge/transfer', body, headers)
const estimate = (body: object) => stack.api('POST', '/bridge/estimate', body)

describe('USDC of a stored wallet', () => {
  test.each([
    ['base', 'polygon', 'fast'],
    ['polygon', 'ethereum', 'standard'],
    ['ethereum', 'base', 'fast'],
  ] as const)(
    'arrives from %s on %s (%s): the amount less the fee, to the unit, and no coin is made or lost',
    async (source, destination, speed) => {
      const wallet = await bridgeWallet(stack, source)
      const recipient = newPayer(destination).address
      const wanted = {
        sourceChain: source,
        destinationChain: destination,
        amount: '250.000001',
        sourceAddress: wallet.address,
        destinationAddress: recipient,
        speed,
      }
      const supplies = async () => [await supplyOn(stack, source), await supplyOn(stack, destination)] as const
      const before = await supplies()
      const costs = await estimate(wanted)
      expect(costs).toMatchObject({ status: 200, body: { fastAvailable: true, fee: speed === 'fast' ? '0.032501' : '0', speed } })
      const { status, body } = await request(wanted)
      expect({ status, body }).toMatchObject({
        status: 201,
        body: { sourceChain: source, destinationChain: destination, status: 'pending', amount: '250.000001', sourceTxHash: null },
      })
      const done = await bridgeIs(stack, body.id, 'completed')

      const amount = parseUnits('250.000001', 6)
      const fee = parseUnits(done.fee ?? '', 6)
      expect(fee).toBe(speed === 'fast' ? 32_501n : 0n)
      expect(await usdcOn(stack, destination, recipient)).toBe(amount - fee)
      expect(parseUnits(done.amountReceived ?? '', 6)).toBe(amount - fee)
      expect(await usdcOn(stack, source, wallet.address)).toBe(parseUnits('1000', 6) - amount)
      const after = await supplies()
      expect([after[0] - before[0], after[1] - before[1]]).toEqual([-amount, amount])
      expect(done).toMatchObject({ executedSpeed: speed, errorMessage: null, delay: null, destinationTxHash: expect.stringMatching(/^0x/) })
      expect((await stack.client(destination).getTransactionReceipt({ hash: done.destinationTxHash as `0x${string}` })).status).toBe('success')
      const asked = stack.circle.asked.filter(({ path }) => path.includes(done.sourceTxHash ?? '-'))
      expect(asked.length).toBeLessThanOrEqual(4)
    },
    120_000,
  )

  test('is shown in the list, and its events are recorded in order', async () => {
    const { body } = await stack.api<{ transfers: BridgeView[]; total: number }>('GET', '/bridge/transfers?status=completed&sourceChain=base')
    const [transfer] = body.transfers
    expect(body).toMatchObject({ total: 1, transfers: [{ sourceChain: 'base', destinationChain: 'polygon' }] })
    const { body: events } = await stack.api<{ events: { type: string; data: BridgeView }[] }>('GET', '/events?limit=100&type=bridge.*')
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
    const wanted = { sourceChain: 'base', destinationChain: 'polygon', sourceAddress: wallet.address, destinationAddress: recipient }
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
    ['a destination without a bridge', { destinationChain: 'tron' }, 400, 'route_not_supported', 'destinationChain'],
    ['stellar', { destinationChain: 'stellar' }, 400, 'route_not_supported', 'destinationChain'],
    ['one chain twice', { destinationChain: 'base' }, 400, 'route_not_supported', 'destinationChain'],
    ['an unknown chain', { sourceChain: 'nowhere' }, 400, 'Invalid request body', 'sourceChain'],
    ['seven decimals', { amount: '1.0000001' }, 400, 'Invalid request body', 'amount'],
    ['nothing', { amount: '0' }, 400, 'Invalid request body', 'amount'],
    ['too little', { amount: '0.5' }, 422, 'amount_too_small', 'amount'],
    ['more than one burn may be', { amount: '10000001' }, 422, 'amount_too_large', 'amount'],
    ['no address', { destinationAddress: 'somebody' }, 400, 'invalid_address', 'destinationAddress'],
    ['an address of another family', { destinationAddress: newPayer('solana').address }, 400, 'wrong_chain_address', 'destinationAddress'],
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
    const answer = await request({ ...base, sourceAddress: wallet.address, destinationAddress: recipient, ...wrong })
    expect(answer).toMatchObject({ status, body: { error, ...(field !== null && { fields: [{ field }] }) } })
  })

  test('the token itself as the recipient', async () => {
    const destinationAddress = stack.devnets.get('polygon')?.usdc ?? ''
    const answer = await request({ ...base, sourceAddress: wallet.address, destinationAddress })
    expect(answer).toMatchObject({ status: 422, body: { error: 'recipient_is_token', fields: [{ field: 'destinationAddress' }] } })
  })

  test('no stored wallet, an archived one, and one without coin', async () => {
    const destinationAddress = newPayer('polygon').address
    const stranger = newPayer('base')
    expect(await request({ ...base, sourceAddress: stranger.address, destinationAddress })).toMatchObject({ status: 404 })
    const { body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain: 'base', privateKey: stranger.privateKey })
    const poor = await request({ ...base, sourceAddress: stranger.address, destinationAddress })
    expect(poor).toMatchObject({ status: 422, body: { error: 'insufficient_balance' } })
    await stack.api('POST', `/crypto/wallets/${body.id}/archive`)
    const archived = await request({ ...base, sourceAddress: stranger.address, destinationAddress })
    expect(archived).toMatchObject({ status: 409, body: { error: 'wallet_archived' } })
  })

  test('fast, where the route has none', async () => {
    const { fees } = stack.circle
    stack.circle.fees = { 2000: 0 }
    const answer = await request({ ...base, sourceAddress: wallet.address, destinationAddress: newPayer('polygon').address, speed: 'fast' })
    stack.circle.fees = fees
    expect(answer).toMatchObject({ status: 422, body: { error: 'fast_not_available', fields: [{ field: 'speed' }] } })
  })

  test('a transfer of another business is not found', async () => {
    const { body } = await request({ ...base, sourceAddress: wallet.address, destinationAddress: newPayer('polygon').address })
    const path = `/bridge/transfer/${body.id}/status`
    expect(await stack.api('GET', path)).toMatchObject({ status: 200 })
    expect(await stack.api('GET', path, undefined, await otherBusinessHeaders(stack))).toMatchObject({ status: 404 })
    expect((await bridgeStatus(stack, 'no id')) as object).toMatchObject({ error: expect.anything() })
  })
})
