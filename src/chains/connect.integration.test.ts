import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startServer, type TestServer } from '../../test/support/httpServer.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { ProviderError } from './chain.ts'
import { configuredChains } from './configuration.ts'
import { connectChain } from './connect.ts'

/** Long: answers come. */
const timeoutMs = 20_000
type ChainConnection = Awaited<ReturnType<typeof connectChain>>
let server: TestServer
const opened: ChainConnection[] = []

beforeEach(async () => {
  server = await startServer()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()))
  await server.close()
})

/** Opens the one chain that these variables enable; `HOST` stands for the test's server. */
async function open(env: Record<string, string>): Promise<ChainConnection> {
  const named = Object.entries(env).map(([name, value]) => [
    name,
    value.replaceAll('HOST', `127.0.0.1:${server.port}`),
  ])
  const { chains, mistakes } = configuredChains(Object.fromEntries(named))
  const [chain] = chains
  if (!chain || mistakes.length > 0) throw new Error(mistakes.join())
  const observe = { called: () => {}, refused: () => {} }
  const connection = await connectChain(chain, { timeoutMs, observe, log: createLog('test', 'silent') })
  opened.push(connection)
  return connection
}

/** Answers every request with this: unchanged, or as the result of a JSON-RPC call. */
const answer = (about: (path: string, body: { method?: string; num?: number }) => unknown) => {
  server.answer = (response, { url, body }) => {
    const asked = body ? (JSON.parse(body) as { id?: number; method?: string; num?: number }) : {}
    const result = about(url, asked)
    response.end(JSON.stringify(asked.method ? { jsonrpc: '2.0', id: asked.id, result } : result))
  }
}

/** The identity of each family's node: the hash of the first block, its id, the network's passphrase. */
const [mainnets, others] = [
  {
    ethereum: '0x1',
    solana: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    tron: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
    stellar: 'Public Global Stellar Network ; September 2015',
  },
  {
    ethereum: '0xaa36a7',
    // Solana's devnet, Tron's Nile, and Stellar's test network.
    solana: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    tron: '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
    stellar: 'Test SDF Network ; September 2015',
  },
]

const chains = ['ethereum', 'solana', 'tron', 'stellar'] as const
const methods = { ethereum: 'eth_chainId', solana: 'getGenesisHash', stellar: 'getNetwork' } as const

/** Answers the identity request, and refuses all others. */
const beOf = (chain: (typeof chains)[number], network: string) =>
  answer((path, { method, num }) => {
    if (chain === 'tron')
      return path.endsWith('/wallet/getblockbynum') && num === 0 ? { blockID: network } : {}
    if (chain === 'stellar') return method === methods.stellar ? { passphrase: network } : null
    return method === methods[chain] ? network : null
  })

describe.each(chains)('a node of %s', (chain) => {
  const variable = { [`${chain.toUpperCase()}_RPC_URLS`]: 'http://HOST/one,http://HOST/two' }

  test('of the right network is accepted', async () => {
    beOf(chain, mainnets[chain])
    await expect((await open(variable)).reader.verify()).resolves.toBeUndefined()
  })

  test('of another network is refused, and reported as such', async () => {
    beOf(chain, others[chain])
    const connection = await open(variable)
    await expect(connection.reader.verify()).rejects.toThrow(ProviderError)
    expect(connection.providers().map(({ wrongChain }) => wrongChain)).toEqual([true, true])
  })

  test('that does not report its network is refused', async () => {
    answer(() => ({}))
    await expect((await open(variable)).reader.verify()).rejects.toThrow(ProviderError)
  })

  test('is named by its host, and two of one company by number', async () => {
    const names = (await open(variable)).providers().map(({ name }) => name)
    expect(names).toEqual([`127.0.0.1:${server.port}`, `127.0.0.1:${server.port}#2`])
  })
})

test('Tron sends its key with each request, and no other chain does', async () => {
  beOf('tron', mainnets.tron)
  await (await open({ TRON_RPC_URLS: 'http://HOST', TRON_API_KEY: 'topsecretkey' })).reader.verify()
  expect(server.heard.map(({ headers }) => headers['tron-pro-api-key'])).toEqual(['topsecretkey'])
  server.heard.length = 0
  beOf('solana', mainnets.solana)
  await (await open({ SOLANA_RPC_URLS: 'http://HOST', TRON_API_KEY: 'topsecretkey' })).reader.verify()
  expect(server.heard[0]?.headers).not.toHaveProperty('tron-pro-api-key')
})

test('Stellar reads Horizon too, which reports its network at its root', async () => {
  answer((path, { method }) => {
    if (method) return { passphrase: others.stellar }
    return path === '/horizon/' ? { network_passphrase: mainnets.stellar } : {}
  })
  const connection = await open({
    STELLAR_RPC_URLS: 'http://HOST/rpc',
    STELLAR_HORIZON_URLS: 'http://HOST/horizon',
  })
  await expect(connection.reader.verify()).resolves.toBeUndefined()
  expect(connection.providers().map(({ wrongChain }) => wrongChain)).toEqual([true, false])
})

test.each(['tron', 'stellar'] as const)('%s has no subscription: listening ends at once', async (chain) => {
  const connection = await open({ [`${chain.toUpperCase()}_RPC_URLS`]: 'http://HOST' })
  await connection.listen(() => {}, new AbortController().signal)
})

test.each(chains)('a connection of %s has one set of accounts, with its token cache', async (chain) => {
  const connection = await open({ [`${chain.toUpperCase()}_RPC_URLS`]: 'http://HOST' })
  expect(await connection.accounts()).toBe(await connection.accounts())
})
