import type { ChainName } from '../../src/chains/registry.ts'
import type { OtherChainName } from '../support/otherDevnets.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { type HttpFaultProxy, type HttpProxyOptions, startHttpProxy } from './httpProxy.ts'

const timeoutMs = 600

/** A Cowry that reads one chain of another family than EVM through two proxies. */
export interface OtherBehind {
  stack: Stack
  /** On Stellar the first is its RPC, the second Horizon. */
  proxies: readonly [HttpFaultProxy, HttpFaultProxy]
  /** Variables of an indexer that knows the first one alone. */
  alone: Record<string, string>
  close(): Promise<void>
}

/** What `left-out` may leave out: the reader counts outcomes on Tron, and hashes them on Stellar. A block of Solana proves nothing of the kind. */
const provable: Record<OtherChainName, readonly string[]> = {
  solana: [],
  tron: ['/wallet/gettransactioninfobyblocknum'],
  stellar: ['getTransactions', '/ledgers/transactions'],
}

/** Blocks that a lagging node is behind. */
const behindBy = 3

/** Nodes of the same chain that are behind, or say the same in another way, as the devnet's faces do. */
async function elsewhere(stack: Stack, chain: OtherChainName): Promise<[HttpProxyOptions['elsewhere'], HttpProxyOptions['elsewhere']]> {
  const late = { face: 'late', lagBlocks: behindBy }
  if (chain === 'solana') {
    const devnet = stack.other('solana')
    await devnet.control('misbehave', late)
    // It says of skipped slots what it says of those that it does not have.
    await devnet.control('misbehave', { face: 'other', ambiguous: true })
    const urls = { lagging: devnet.face('late').rpcUrl, 'other-words': devnet.face('other').rpcUrl }
    return [urls, urls]
  }
  if (chain === 'tron') {
    const devnet = stack.other('tron')
    await devnet.control('misbehave', late)
    // A light node: it answers nothing about blocks, in plain words and with status 200.
    await devnet.control('misbehave', { face: 'other', lite: true })
    const urls = { lagging: devnet.faceUrl('late'), 'other-words': devnet.faceUrl('other') }
    return [urls, urls]
  }
  const devnet = stack.other('stellar')
  await devnet.control('misbehave', late)
  // Without the events of CAP-67: payments are read from operations and results.
  await devnet.control('misbehave', { face: 'other', noEvents: true })
  const [lagging, other] = [devnet.faceUrls('late'), devnet.faceUrls('other')]
  return [
    { lagging: lagging.rpcUrl, 'other-words': other.rpcUrl },
    { lagging: lagging.horizonUrl, 'other-words': other.horizonUrl },
  ]
}

export async function standOtherBehindProxies(chain: OtherChainName, env: Record<string, string> = {}): Promise<OtherBehind> {
  const options = (): HttpProxyOptions => ({ elsewhere: {}, slowMs: [timeoutMs / 6, timeoutMs / 2, timeoutMs * 1.5], provable: provable[chain] })
  const [first, second] = [options(), options()]
  const proxies: HttpFaultProxy[] = []
  const prefix = chain.toUpperCase()
  const more: Record<string, string> = { RPC_TIMEOUT_MS: String(timeoutMs), ...env }
  const stack = await createStack({
    apart: true,
    chains: [chain satisfies ChainName],
    finalizedTag: true,
    env: more,
    rpcUrls: async (nodeUrl) => {
      const secondUrl = chain === 'stellar' ? nodeUrl.replace(/rpc$/, 'horizon') : nodeUrl
      proxies.push(await startHttpProxy(nodeUrl, first), await startHttpProxy(secondUrl, second))
      const urls = proxies.map(({ url }) => url)
      if (chain !== 'stellar') return urls
      more.STELLAR_HORIZON_URLS = urls[1] ?? ''
      return urls.slice(0, 1)
    },
  })
  const [one, two] = proxies
  if (!one || !two) throw new Error('nobody asked for proxies')
  const faces = await elsewhere(stack, chain)
  Object.assign(first.elsewhere, faces[0])
  Object.assign(second.elsewhere, faces[1])
  return {
    stack,
    proxies: [one, two],
    alone: { [`${prefix}_RPC_URLS`]: one.url, ...(chain === 'stellar' ? { STELLAR_HORIZON_URLS: '' } : {}) },
    async close() {
      await stack.close()
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}
