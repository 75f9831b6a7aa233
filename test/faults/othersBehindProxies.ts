import { type OtherChainName, otherChainNames } from '../support/otherDevnets.ts'
import { createStack, type ProcessName, type Stack } from '../support/stack.ts'
import { type HttpFaultProxy, type HttpProxyOptions, startHttpProxy } from './httpProxy.ts'

const timeoutMs = 600

/** A chain of another family than EVM, read through two proxies. */
export interface OtherBehind {
  chain: OtherChainName
  /** On Stellar the first is the RPC, the second Horizon. */
  proxies: readonly [HttpFaultProxy, HttpFaultProxy]
  indexer: ProcessName
  /** Environment of an indexer that only knows the first proxy. */
  alone: Record<string, string>
}

export interface OthersBehind {
  stack: Stack
  chains: readonly OtherBehind[]
  close(): Promise<void>
}

/**
 * Methods for `left-out`: the reader counts outcomes on Tron and hashes them on Stellar. A Solana block
 * proves no omission.
 */
const provable: Record<OtherChainName, readonly string[]> = {
  solana: [],
  tron: ['/wallet/gettransactioninfobyblocknum'],
  stellar: ['getTransactions', '/ledgers/transactions'],
}

/** Lag of a lagging node, in blocks. */
const behindBy = 3

/** URLs of nodes of the same chain that lag, or answer with other wording: faces of the devnet. */
async function elsewhere(
  stack: Stack,
  chain: OtherChainName,
): Promise<[HttpProxyOptions['elsewhere'], HttpProxyOptions['elsewhere']]> {
  const late = { face: 'late', lagBlocks: behindBy }
  if (chain === 'solana') {
    const devnet = stack.other('solana')
    await devnet.control('misbehave', late)
    // Answers the same error for skipped and unknown slots.
    await devnet.control('misbehave', { face: 'other', ambiguous: true })
    const urls = { lagging: devnet.face('late').rpcUrl, 'other-words': devnet.face('other').rpcUrl }
    return [urls, urls]
  }
  if (chain === 'tron') {
    const devnet = stack.other('tron')
    await devnet.control('misbehave', late)
    // A light node: refuses questions about blocks in plain text with status 200.
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

/** A Cowry that reads each of these chains through two proxies. */
export async function startOthersBehindProxies(env: Record<string, string> = {}): Promise<OthersBehind> {
  const more: Record<string, string> = { RPC_TIMEOUT_MS: String(timeoutMs), ...env }
  const started = new Map<
    OtherChainName,
    { proxies: [HttpFaultProxy, HttpFaultProxy]; options: [HttpProxyOptions, HttpProxyOptions] }
  >()
  const stack = await createStack({
    processes: ['treasury', 'api', 'indexer', 'worker'],
    chains: [...otherChainNames],
    finalizedTag: true,
    env: more,
    rpcUrls: async (nodeUrl, name) => {
      const chain = name as OtherChainName
      const optionsOf = (): HttpProxyOptions => ({
        elsewhere: {},
        slowMs: [timeoutMs / 6, timeoutMs / 2, timeoutMs * 1.5],
        provable: provable[chain],
      })
      const options: [HttpProxyOptions, HttpProxyOptions] = [optionsOf(), optionsOf()]
      const secondUrl = chain === 'stellar' ? nodeUrl.replace(/rpc$/, 'horizon') : nodeUrl
      const proxies: [HttpFaultProxy, HttpFaultProxy] = [
        await startHttpProxy(nodeUrl, options[0]),
        await startHttpProxy(secondUrl, options[1]),
      ]
      started.set(chain, { proxies, options })
      const urls = proxies.map(({ url }) => url)
      if (chain !== 'stellar') return urls
      more.STELLAR_HORIZON_URLS = urls[1] ?? ''
      return urls.slice(0, 1)
    },
  })
  const chains: OtherBehind[] = []
  for (const [chain, { proxies, options }] of started) {
    const faces = await elsewhere(stack, chain)
    for (const [i, each] of options.entries()) Object.assign(each.elsewhere, faces[i])
    const alone = {
      [`${chain.toUpperCase()}_RPC_URLS`]: proxies[0].url,
      ...(chain === 'stellar' ? { STELLAR_HORIZON_URLS: '' } : {}),
    }
    chains.push({ chain, proxies, indexer: chain === stack.chain ? 'indexer' : `indexer-${chain}`, alone })
  }
  return {
    stack,
    chains,
    async close() {
      await stack.close()
      await Promise.all(chains.flatMap(({ proxies }) => proxies.map((proxy) => proxy.close())))
    },
  }
}
