import { describe, expect, test } from '@jest/globals'
import { displayContract, tokenContract } from './codecs.ts'
import { configuredChains } from './configuration.ts'
import { evmAddress } from './evm/address.ts'
import { assetsOf, type ConfiguredChain, registry, tokenOf } from './registry.ts'

const six = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'optimism']
const nine = [...six, 'solana', 'tron', 'stellar']
const urls = Object.fromEntries(
  nine.map((name) => [`${name.toUpperCase()}_RPC_URLS`, `https://${name}.example/key`]),
)
const configured = (env: Record<string, string> = {}) => configuredChains({ ...urls, ...env })
const chainOf = (name: string, env: Record<string, string> = {}): ConfiguredChain => {
  const chain = configured(env).chains.find((each) => each.name === name)
  if (!chain) throw new Error(`no ${name}`)
  return chain
}

/** Design, section 5: name, id, coin, USDC, USDT with their decimals, confirmations, finalized tag. */
const table = [
  [
    'ethereum',
    1,
    'ETH',
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    6,
    '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    6,
    12,
    false,
  ],
  [
    'polygon',
    137,
    'POL',
    '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    6,
    '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    6,
    100,
    true,
  ],
  [
    'bsc',
    56,
    'BNB',
    '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
    18,
    '0x55d398326f99059fF775485246999027B3197955',
    18,
    15,
    false,
  ],
  ['base', 8453, 'ETH', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6, null, null, 12, false],
  [
    'arbitrum',
    42161,
    'ETH',
    '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    6,
    '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
    6,
    30,
    false,
  ],
  [
    'optimism',
    10,
    'ETH',
    '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    6,
    '0x01bFF41798a0BcF287b996046Ca68b395DbC1071',
    6,
    30,
    false,
  ],
] as const

/**
 * Other families: name, coin and its decimals, USDC, USDT, decimals of both, confirmations, finalized tag.
 */
const others = [
  [
    'solana',
    'SOL',
    9,
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    6,
    32,
    true,
  ],
  ['tron', 'TRX', 6, null, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 6, 19, true],
  [
    'stellar',
    'XLM',
    7,
    'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
    'USDT0:GATISXX6BZ6NC7IKQBY37CJD4SOZL3CYZJWXEDG6JVIY4WBS6KXJHN6Q',
    7,
    1,
    false,
  ],
] as const

describe('the nine chains are those of the design', () => {
  test.each(others)('%s', (name, symbol, coinDecimals, usdc, usdt, decimals, confirmations, byTag) => {
    const chain = chainOf(name)
    const shown = (token: string) => {
      const found = tokenOf(chain, token)
      return found ? [displayContract(chain.family, found.contract), found.decimals] : null
    }
    expect([
      chain.family,
      chain.native,
      chain.confirmations,
      chain.byFinalizedTag,
      chain.saysFinalized,
    ]).toEqual([name, { symbol, decimals: coinDecimals }, confirmations, byTag, true])
    expect([shown('USDC'), shown('USDT')]).toEqual([usdc && [usdc, decimals], [usdt, decimals]])
  })

  test.each(table)(
    '%s',
    (name, chainId, coin, usdc, usdcDecimals, usdt, usdtDecimals, confirmations, byTag) => {
      const chain = chainOf(name)
      const shown = (symbol: string) => {
        const token = tokenOf(chain, symbol)
        return token ? [evmAddress.display(token.contract), token.decimals] : [null, null]
      }
      expect({
        chainId: Number(chain.network),
        native: chain.native,
        confirmations: chain.confirmations,
        byTag: chain.byFinalizedTag,
      }).toEqual({
        chainId,
        native: { symbol: coin, decimals: 18 },
        confirmations,
        byTag,
      })
      expect(shown('USDC')).toEqual([usdc, usdcDecimals])
      expect(shown('USDT')).toEqual([usdt, usdtDecimals])
      expect(chain.family).toBe('evm')
    },
  )

  test('the bridged look-alikes are those that the chains’ explorers name so, and are never accepted', () => {
    const lookalikes = configured().chains.flatMap((chain) =>
      chain.lookalikes.map(({ symbol, contract, decimals }) => [
        chain.name,
        symbol,
        evmAddress.display(contract),
        decimals,
      ]),
    )
    expect(lookalikes).toEqual([
      ['polygon', 'USDC.e', '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', 6],
      ['arbitrum', 'USDC.e', '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8', 6],
      ['optimism', 'USDC.e', '0x7F5c764cBc14f9669B88837ca1490cCa17c31607', 6],
      ['optimism', 'USDT.e', '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', 6],
    ])
    for (const chain of configured().chains)
      for (const { symbol } of chain.lookalikes) expect(tokenOf(chain, symbol)).toBeUndefined()
  })

  test('addresses are in the normal form, and each contract and symbol is unique on its chain', () => {
    for (const chain of configured({ BASE_USDT: `0x${'ab'.repeat(20)}` }).chains) {
      const assets = assetsOf(chain)
      for (const { contract } of assets)
        if (contract !== null) expect(tokenContract(chain.family, contract)).toBe(contract)
      expect(new Set(assets.map(({ contract }) => contract)).size).toBe(assets.length)
      expect(new Set(assets.map(({ symbol }) => symbol)).size).toBe(assets.length)
      expect(assets.filter(({ contract }) => contract === null)).toEqual([
        { ...chain.native, contract: null },
      ])
    }
  })

  test('each waits at least as long for a finalized block as by its own rule, and allows deeper reorgs than either', () => {
    for (const chain of configured().chains) {
      expect(chain.finalizedDepth).toBeGreaterThanOrEqual(chain.confirmations)
      expect(chain.reorgLimit).toBeGreaterThan(chain.confirmations)
    }
  })

  test('only Polygon logs the movements of its coin', () => {
    expect(
      configured()
        .chains.filter(({ nativeLog }) => nativeLog !== null)
        .map(({ name, nativeLog }) => [name, nativeLog]),
    ).toEqual([['polygon', '0x0000000000000000000000000000000000001010']])
  })
})

describe('configuration', () => {
  test('enables the chains that have nodes, and no others', () => {
    expect(configuredChains({}).chains).toEqual([])
    expect(configuredChains({ BSC_RPC_URLS: 'https://a.example, http://b.example ,' }).chains).toMatchObject([
      {
        name: 'bsc',
        rpcUrls: ['https://a.example', 'http://b.example'],
        wsUrls: [],
        startBlock: undefined,
        internalTransfers: 'auto',
      },
    ])
    expect(configured()).toMatchObject({ mistakes: [] })
    expect(configured().chains.map(({ name }) => name)).toEqual(nine)
  })

  test('adds a token that a chain lacks, and replaces one that it has', () => {
    const contract = `0x${'ab'.repeat(20)}`
    expect(tokenOf(chainOf('base', { BASE_USDT: contract }), 'USDT')).toEqual({
      symbol: 'USDT',
      contract,
      decimals: 6,
    })
    expect(tokenOf(chainOf('bsc', { BSC_USDC: contract }), 'USDC')).toEqual({
      symbol: 'USDC',
      contract,
      decimals: 18,
    })
    expect(
      chainOf('optimism', { OPTIMISM_USDT_BRIDGED: contract }).lookalikes.map(({ contract: each }) => each),
    ).toEqual(['0x7f5c764cbc14f9669b88837ca1490cca17c31607', contract])
  })

  test('of confirmations replaces the finalized tag, and never makes a finalized block less deep', () => {
    expect(chainOf('polygon', { POLYGON_CONFIRMATIONS: '20' })).toMatchObject({
      confirmations: 20,
      byFinalizedTag: false,
      finalizedDepth: 100,
    })
    expect(chainOf('bsc', { BSC_CONFIRMATIONS: '40' })).toMatchObject({
      confirmations: 40,
      finalizedDepth: 40,
    })
    expect(chainOf('bsc', { BSC_CONFIRMATIONS: '40', BSC_FINALIZED_DEPTH: '10' })).toMatchObject({
      finalizedDepth: 40,
    })
    expect(chainOf('polygon', { POLYGON_FINALIZED_DEPTH: '7' })).toMatchObject({
      byFinalizedTag: true,
      finalizedDepth: 7,
    })
  })

  test('overrides the other values that a devnet needs', () => {
    const env = {
      ETHEREUM_CHAIN_ID: '31337',
      ETHEREUM_BLOCK_MS: '50',
      ETHEREUM_REORG_LIMIT: '9',
      ETHEREUM_START_BLOCK: '0',
      ETHEREUM_WS_URLS: 'ws://localhost:1,wss://b.example',
      ETHEREUM_INTERNAL_TRANSFERS: 'off',
      ETHEREUM_MIN_CONFIRMATIONS: '2',
      ETHEREUM_EARLY_UP_TO: '99.50',
      ETHEREUM_LARGE_FROM: '10000',
    }
    expect(configured(env).mistakes).toEqual([])
    expect(chainOf('ethereum', env)).toMatchObject({
      network: '31337',
      blockMs: 50,
      reorgLimit: 9,
      startBlock: 0,
      wsUrls: ['ws://localhost:1', 'wss://b.example'],
      internalTransfers: 'off',
      finality: { minConfirmations: 2, earlyUpTo: '99.50', largeFrom: '10000' },
    })
    expect(chainOf('ethereum').finality).toEqual({ minConfirmations: 1, earlyUpTo: '100', largeFrom: null })
  })

  test.each([
    ['ETHEREUM_RPC_URLS', 'ftp://a.example', 'http URL'],
    ['ETHEREUM_RPC_URLS', 'https://a.example,nonsense', 'http URL'],
    ['ETHEREUM_RPC_URLS', 'http://', 'http URL'],
    ['ETHEREUM_WS_URLS', 'https://a.example', 'ws URL'],
    ['ETHEREUM_CONFIRMATIONS', '0', 'at least 1'],
    ['ETHEREUM_CONFIRMATIONS', '1.5', 'at least 1'],
    ['ETHEREUM_CONFIRMATIONS', 'many', 'at least 1'],
    ['ETHEREUM_START_BLOCK', '-1', 'at least 0'],
    ['ETHEREUM_CHAIN_ID', '0', 'at least 1'],
    ['ETHEREUM_USDC', '0x12', 'contract address'],
    ['ETHEREUM_USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'contract address'],
    ['ETHEREUM_EARLY_UP_TO', '1e3', 'whole tokens'],
    ['ETHEREUM_LARGE_FROM', '-1', 'whole tokens'],
    ['ETHEREUM_INTERNAL_TRANSFERS', 'maybe', 'one of auto, balances, off'],
  ])('%s=%s is reported as a mistake, without the key in a URL', (variable, value, what) => {
    const { mistakes } = configured({ [variable]: value })
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toMatch(new RegExp(`^${variable} .*${what}`))
  })

  test.each(['ETHEREUM_EARLY_UP_TO', 'ETHEREUM_LARGE_FROM'])(
    '%s with more decimals than the tokens of the chain is a mistake too',
    (variable) => {
      expect(configured({ [variable]: '99.1234567' }).mistakes).toHaveLength(1)
    },
  )

  test('accepts tokens in their display form, for each family', () => {
    const mint = 'So11111111111111111111111111111111111111112'
    const issuer = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'
    expect(tokenOf(chainOf('solana', { SOLANA_USDC: mint }), 'USDC')?.contract).toBe(mint)
    expect(
      tokenOf(chainOf('tron', { TRON_USDC: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8' }), 'USDC')?.contract,
    ).toBe('413487b63d30b5b2c87fb7ffa8bcfade38eaac1abe')
    expect(tokenOf(chainOf('stellar', { STELLAR_USDC: `EURC:${issuer}` }), 'USDC')?.contract).toBe(
      `EURC:${issuer}`,
    )
  })

  test('of another network, of a key and of Horizon applies to its chain, and the key is not shown', () => {
    const env = {
      SOLANA_NETWORK: 'abc',
      TRON_API_KEY: 'top-secret',
      STELLAR_HORIZON_URLS: 'https://h.example',
      STELLAR_NETWORK: 'Test',
    }
    expect(configured(env).mistakes).toEqual([])
    expect(chainOf('solana', env).network).toBe('abc')
    expect(chainOf('stellar', env)).toMatchObject({ network: 'Test', horizonUrls: ['https://h.example'] })
    expect(chainOf('tron', env).apiKey?.reveal()).toBe('top-secret')
    expect(
      JSON.stringify(chainOf('tron', env), (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('top-secret')
  })

  test.each([
    ['SOLANA_USDC', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'mint'],
    ['TRON_USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'contract address'],
    ['STELLAR_USDC', 'USDC', 'CODE:ISSUER'],
    ['STELLAR_USDC', 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVM', 'CODE:ISSUER'],
    ['STELLAR_HORIZON_URLS', 'horizon', 'http URL'],
  ])('%s=%s is reported as a mistake', (variable, value, what) => {
    const { mistakes } = configured({ [variable]: value })
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toMatch(new RegExp(`^${variable} .*${what}`))
  })
})

test('base and optimism have the time of the Canyon fork of the superchain-registry', () => {
  expect(
    registry
      .filter(({ canyonTime }) => canyonTime !== undefined)
      .map(({ name, canyonTime }) => [name, canyonTime]),
  ).toEqual([
    ['base', 1_704_992_401],
    ['optimism', 1_704_992_401],
  ])
})
