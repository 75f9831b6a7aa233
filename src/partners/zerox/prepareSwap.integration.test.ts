import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { bytesToHex, type Hex, parseUnits } from 'viem'
import { allowanceHolder, type EvmChainName, evmChainNames, startEvmDevnet } from '../../../test/devnets/evm.ts'
import { startZeroX, type ZeroXStandIn } from '../../../test/partners/zerox.ts'
import { addressOf, keyOf } from '../../../test/support/evmIntents.ts'
import { sendingOn } from '../../../test/support/evmSending.ts'
import { evmBalanceReader } from '../../chains/evm/balanceReader.ts'
import { evmSwapping } from '../../chains/evm/swapping.ts'
import { Secret } from '../../platform/secrets.ts'
import { coinPlaceholder as coin } from '../../swaps/coins.ts'
import type { PreparedSwap, SwapQuestion } from '../../swaps/provider.ts'
import { createZeroX } from './client.ts'

/** Swaps of 0x on each EVM devnet: prepared, sent, and exact to the unit. */

const apiKey = 'key-of-0x'

async function open(name: EvmChainName) {
  const devnet = await startEvmDevnet({ chain: name, blockSeconds: 0 })
  const chain = sendingOn(devnet)
  const stable = [devnet.usdc, devnet.usdt].map((token) => token?.toLowerCase())
  const zeroX = await startZeroX({
    apiKey,
    assetOf: (_, token) => {
      if (token === coin) return { decimals: 18, cents: 300_000n }
      return stable.includes(token) ? { decimals: devnet.decimals, cents: 100n } : null
    },
    marketOf: () => ({ settler: devnet.settler, pool: devnet.pool }),
  })
  return { devnet, chain, zeroX, swapping: evmSwapping({ ...chain.ctx, balances: evmBalanceReader(chain.ctx) }) }
}
type Opened = Awaited<ReturnType<typeof open>>

async function close({ zeroX, chain, devnet }: Opened) {
  await Promise.all([zeroX.close(), chain.ctx.providers.close()])
  await devnet.stop()
}

describe.each(evmChainNames)('on %s', (name) => {
  let on: Opened
  const [key, to] = [keyOf(401), addressOf(keyOf(402))]
  const from = addressOf(key)
  let units: (whole: string) => bigint
  beforeAll(async () => {
    on = await open(name)
    units = (whole) => parseUnits(whole, on.devnet.decimals)
    await on.chain.fund(from, 10n ** 20n)
  })
  afterAll(() => close(on))

  const prepare = (question: Partial<SwapQuestion>): Promise<PreparedSwap> =>
    createZeroX({ url: on.zeroX.url, apiKey: new Secret(apiKey), perSecond: 1000 }).prepare(
      { network: String(on.devnet.chainId), sellToken: coin, buyToken: on.devnet.usdc, sellAmount: 0n, slippageBps: 50, from, to: from, ...question },
      on.swapping,
    )
  const balance = async (token: string, owner: string): Promise<bigint> => {
    const found = await evmBalanceReader(on.chain.ctx).balances(owner, token === coin ? [] : [token])
    return token === coin ? found.native : (found.tokens[0]?.balance ?? 0n)
  }

  /** Signs and sends all steps at nonces in a row, in one block. @returns wei paid for gas */
  async function send({ steps }: PreparedSwap): Promise<bigint> {
    const nonce = BigInt((await on.chain.call('eth_getTransactionCount', from, 'latest')) as string)
    const hashes: string[] = []
    for (const [index, { action, plan }] of steps.entries()) {
      expect(plan.shortages).toEqual([])
      const signed = on.chain.builder.sign(action, plan.terms, nonce + BigInt(index), [new Secret(key)])
      await on.chain.call('eth_sendRawTransaction', bytesToHex(signed.bytes))
      hashes.push(signed.txId)
    }
    await on.chain.mine()
    let paid = 0n
    for (const hash of hashes) {
      const receipt = (await on.chain.call('eth_getTransactionReceipt', hash)) as Record<string, Hex>
      expect(receipt.status).toBe('0x1')
      paid += BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? 0)
    }
    return paid
  }

  test('the coin for a token, to another address', async () => {
    const before = await balance(coin, from)
    const prepared = await prepare({ sellAmount: 10n ** 18n, to })
    expect(prepared.steps.map(({ purpose }) => purpose)).toEqual(['swap'])
    expect(prepared.minBuyAmount).toBe(units('2976.045'))
    const paid = await send(prepared)
    expect(await balance(on.devnet.usdc, to)).toBe(units('2991'))
    expect(await balance(coin, from)).toBe(before - 10n ** 18n - paid)
  })

  test('a token for the coin, to oneself and to another address', async () => {
    await send(await prepare({ sellAmount: 10n ** 18n }))
    const [coins, tokens] = [await balance(coin, from), await balance(on.devnet.usdc, from)]
    const prepared = await prepare({ sellToken: on.devnet.usdc, buyToken: coin, sellAmount: units('300') })
    expect(prepared.steps.map(({ purpose }) => purpose)).toEqual(['swap-approval', 'swap'])
    const paid = await send(prepared)
    expect(await balance(coin, from)).toBe(coins + parseUnits('0.0997', 18) - paid)
    expect(await balance(on.devnet.usdc, from)).toBe(tokens - units('300'))
    const had = await balance(coin, to)
    await send(await prepare({ sellToken: on.devnet.usdc, buyToken: coin, sellAmount: units('300'), to }))
    expect(await balance(coin, to)).toBe(had + parseUnits('0.0997', 18))
    expect(await on.swapping.allowance(on.devnet.usdc, from, allowanceHolder)).toBe(0n)
  })
})

let on: Opened
let zeroX: ZeroXStandIn
beforeAll(async () => {
  on = await open('ethereum')
  zeroX = on.zeroX
})
afterAll(() => close(on))
beforeEach(() => {
  Object.assign(zeroX, { lie: null, reroute: null })
})
test.todo('more')
