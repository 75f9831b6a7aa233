import { describe, expect, test } from '@jest/globals'
import { type ConfiguredChain, registeredChain } from '../chains/registry.ts'
import type { SwapProvider } from './provider.ts'
import { readSwap, type SwapRequest } from './readSwap.ts'

const notAsked = () => Promise.reject(new Error('not asked'))
const provider = (name: SwapProvider['name']): SwapProvider => ({
  name,
  perSecond: 1,
  price: notAsked,
  prepare: notAsked,
})
const swaps = { evm: provider('0x'), solana: provider('jupiter') }
const names = [
  'ethereum',
  'polygon',
  'bsc',
  'base',
  'arbitrum',
  'optimism',
  'solana',
  'tron',
  'stellar',
] as const
const chains = names.map((name) => registeredChain(name) as ConfiguredChain)
const read = (request: Partial<SwapRequest>, ctx: Partial<Parameters<typeof readSwap>[0]> = {}) =>
  readSwap(
    { chains, swaps, ...ctx },
    { chain: 'ethereum', sellToken: usdc, buyToken: usdt, amount: '1', ...request },
  )

const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const placeholder = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const wsol = 'So11111111111111111111111111111111111111112'
const usdcOnSolana = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

/** The answer's status, error and field. */
function refusal(work: () => unknown): unknown[] {
  try {
    work()
  } catch (error) {
    const {
      status,
      error: code,
      fields,
    } = error as { status: number; error: string; fields?: { field: string }[] }
    return [status, code, ...(fields ?? []).map(({ field }) => field)]
  }
  return ['taken']
}

test('each EVM chain has 0x, solana has Jupiter', () => {
  const nameOn = (chain: string) =>
    read({ chain, sellToken: 'native', buyToken: chain === 'solana' ? usdcOnSolana : usdc }).provider.name
  expect(names.slice(0, 7).map(nameOn)).toEqual(['0x', '0x', '0x', '0x', '0x', '0x', 'jupiter'])
})

test('the slippage is 50 basis points, if it is left out', () => {
  expect([read({}).slippageBps, read({ slippageBps: 1 }).slippageBps]).toEqual([50, 1])
})

describe('the coin', () => {
  test.each(['native', placeholder, placeholder.toLowerCase(), ` ${placeholder} `])(
    'of an EVM chain: %p',
    (sellToken) => {
      expect(read({ sellToken }).sell).toEqual({
        field: 'sellToken',
        token: placeholder.toLowerCase(),
        isCoin: true,
      })
    },
  )
  test.each(['native', wsol])('of solana: %p', (buyToken) => {
    expect(read({ chain: 'solana', sellToken: usdcOnSolana, buyToken }).buy).toEqual({
      field: 'buyToken',
      token: wsol,
      isCoin: true,
    })
  })
})

describe('refused', () => {
  test.each<[string, Partial<SwapRequest>, unknown[]]>([
    ['tron', { chain: 'tron' }, [400, 'swap_not_supported', 'chain']],
    ['stellar', { chain: 'stellar' }, [400, 'swap_not_supported', 'chain']],
    ['an unknown chain', { chain: 'dogecoin' }, [400, 'Invalid request body', 'chain']],
    [
      'equal tokens',
      { buyToken: usdc.toUpperCase().replace('0X', '0x') },
      [400, 'Invalid request body', 'buyToken'],
    ],
    [
      'the coin twice',
      { sellToken: 'native', buyToken: placeholder },
      [400, 'Invalid request body', 'buyToken'],
    ],
    [
      'SOL and wrapped SOL',
      { chain: 'solana', sellToken: 'native', buyToken: wsol },
      [400, 'Invalid request body', 'buyToken'],
    ],
    ['no address', { sellToken: 'USDC' }, [400, 'invalid_address', 'sellToken']],
    ['an address without its end', { buyToken: usdt.slice(0, -1) }, [400, 'invalid_address', 'buyToken']],
    ['a mint on ethereum', { sellToken: usdcOnSolana }, [400, 'wrong_chain_address', 'sellToken']],
    [
      'a contract on solana',
      { chain: 'solana', sellToken: usdc, buyToken: wsol },
      [400, 'wrong_chain_address', 'sellToken'],
    ],
    [
      'the placeholder on solana',
      { chain: 'solana', sellToken: placeholder, buyToken: wsol },
      [400, 'wrong_chain_address', 'sellToken'],
    ],
  ])('%s', (_name, request, expected) => {
    expect(refusal(() => read(request))).toEqual(expected)
  })

  test.each([
    ['ethereum', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'],
    ['polygon', '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270'],
    ['bsc', '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c'],
    ['base', '0x4200000000000000000000000000000000000006'],
    ['arbitrum', '0x82af49447d8a07e3bd95bd0f56f35241523fbab1'],
    ['optimism', '0x4200000000000000000000000000000000000006'],
  ])('on %s the coin for its wrapped token, and the reverse', (chain, wrapped) => {
    expect(refusal(() => read({ chain, sellToken: 'native', buyToken: wrapped }))).toEqual([
      422,
      'token_not_supported',
      'buyToken',
    ])
    expect(refusal(() => read({ chain, sellToken: wrapped, buyToken: 'native' }))).toEqual([
      422,
      'token_not_supported',
      'sellToken',
    ])
    expect(refusal(() => read({ chain, sellToken: wrapped, buyToken: usdc }))).toEqual(['taken'])
  })

  test('a chain whose provider has no key, and one that the deployment does not read', () => {
    const none = { evm: null, solana: null }
    expect(refusal(() => read({}, { swaps: none }))).toEqual([400, 'swap_not_supported', 'chain'])
    expect(refusal(() => read({ chain: 'solana' }, { swaps: { ...swaps, solana: null } }))).toEqual([
      400,
      'swap_not_supported',
      'chain',
    ])
    expect(refusal(() => read({}, { chains: [] }))).toEqual([400, 'Invalid request body', 'chain'])
  })
})
