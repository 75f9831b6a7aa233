import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import type { ChainConnection } from '../../src/chains/connection.ts'
import { uniqueNames } from '../../src/chains/providers/names.ts'
import { type ConfiguredChain, staleAfterMs } from '../../src/chains/registry.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { type DoctorContext, valuesOf } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, advice, fault } = findingsOf('nodes')

/**
 * Nodes without an archive keep the balances of their last 128 blocks; the indexer reads a confirmed one.
 */
const stateDepth = 100
const zeroAddress = `0x${'0'.repeat(40)}`

interface Asked {
  chain: ConfiguredChain
  name: string
  findings: Finding[]
  /** Null where the node cannot be used. */
  head: number | null
  traces: boolean
}

/**
 * Reads each node alone, as the indexer would: its network, its head, what it calls finalized, traces, and
 * state of past blocks.
 */
export async function checkNodes(ctx: DoctorContext): Promise<Finding[]> {
  const { chains, mistakes } = configuredChains(ctx.env)
  // Mistakes are reported with the settings; a URL among them cannot be opened.
  if (mistakes.length > 0) return []
  const timeoutMs = valuesOf(ctx, 'indexer', ['RPC_TIMEOUT_MS'])?.RPC_TIMEOUT_MS ?? 10_000
  return (await Promise.all(chains.map((chain) => checkChain(ctx, chain, timeoutMs)))).flat()
}

async function checkChain(ctx: DoctorContext, chain: ConfiguredChain, timeoutMs: number): Promise<Finding[]> {
  const names = uniqueNames([...chain.rpcUrls, ...chain.horizonUrls])
  const nodes = [
    ...chain.rpcUrls.map((url) => ({ ...chain, rpcUrls: [url], horizonUrls: [] })),
    ...chain.horizonUrls.map((url) => ({ ...chain, rpcUrls: [], horizonUrls: [url] })),
  ]
  const asked = await Promise.all(
    nodes.map((node, index) => queryNode(ctx, node, names[index] ?? '', timeoutMs)),
  )
  return [
    ...asked.flatMap(({ findings }) => findings),
    ...ofAll(chain, asked),
    ...(await headsAnnounced(chain, timeoutMs)),
  ]
}

async function queryNode(
  ctx: DoctorContext,
  chain: ConfiguredChain,
  name: string,
  timeoutMs: number,
): Promise<Asked> {
  const of = `${chain.name}: ${name}`
  const observe = { called: () => {}, refused: () => {} }
  const connection = await connectChain(chain, { timeoutMs, observe, log: ctx.log })
  const setting = `${chain.name.toUpperCase()}_${chain.horizonUrls.length > 0 ? 'HORIZON' : 'RPC'}_URLS`
  const unusable = (finding: Finding): Asked => ({
    chain,
    name,
    findings: [finding],
    head: null,
    traces: false,
  })
  try {
    await connection.reader.verify()
    const head = await connection.reader.head()
    const findings = [
      ...freshness(chain, of, head.time),
      ...(await finality(connection, chain, of)),
      ...receipts(connection, of),
    ]
    const traces = connection.reader.internalMethod === 'traces'
    if (connection.reader.internalMethod === 'balances')
      findings.push(...(await pastState(connection, of, name, head.height)))
    const works = findings.some(({ state }) => state === 'fault')
      ? []
      : [ok(of, `is of the right network, at ${head.height}`)]
    return { chain, name, findings: [...works, ...findings], head: head.height, traces }
  } catch (error) {
    const isOther = connection.providers().some(({ wrongChain }) => wrongChain)
    const network = chain.family === 'evm' ? 'CHAIN_ID' : 'NETWORK'
    if (isOther)
      return unusable(
        fault(
          of,
          'node_wrong_chain',
          messageOf(error),
          `Remove it from ${setting}, or correct ${chain.name.toUpperCase()}_${network} on a test network.`,
        ),
      )
    return unusable(
      fault(
        of,
        'node_unreachable',
        `cannot be used: ${reasonOf(error, name)}`,
        `Start it, or correct ${setting}: host, port, and the key in its URL.`,
      ),
    )
  } finally {
    await connection.close()
  }
}

/** Of the one node that was queried: its name stands before. */
const reasonOf = (error: unknown, name: string): string =>
  messageOf(error)
    .replace('no provider confirms its chain: ', '')
    .replace(`${name}: `, '')
    .replace(`${name} is`, 'is')

function freshness(chain: ConfiguredChain, of: string, time: Date): Finding[] {
  const age = Date.now() - time.getTime()
  if (age <= staleAfterMs(chain)) return []
  return [
    fault(
      of,
      'node_behind',
      `its newest block is ${Math.round(age / 1000)} s old`,
      'Wait until the node has caught up with its chain, or name another one: payments are detected only as far as it is.',
    ),
  ]
}

async function finality(connection: ChainConnection, chain: ConfiguredChain, of: string): Promise<Finding[]> {
  const [tip] = await connection.reader.tips()
  if (!tip || tip.finalized || chain.finalizedByDepth) return []
  const prefix = chain.name.toUpperCase()
  if (chain.byFinalizedTag)
    return [
      fault(
        of,
        'node_finality',
        'does not say which blocks are finalized, and payments here are confirmed by that',
        chain.family === 'evm'
          ? `Use a node that knows the tag finalized, or count blocks instead: ${prefix}_CONFIRMATIONS, or ${prefix}_FINALIZED_BY_DEPTH=true.`
          : 'Use another node.',
      ),
    ]
  return [
    advice(
      of,
      'node_finality',
      `does not say which blocks are finalized: ${chain.finalizedDepth} blocks stand for it`,
      'Use a node that knows the tag finalized, where large payments wait for it.',
    ),
  ]
}

function receipts(connection: ChainConnection, of: string): Finding[] {
  const [provider] = connection.providers()
  const offers = provider && connection.offers?.(provider.name)
  if (!offers || offers.blockReceipts) return []
  return [
    advice(
      of,
      'node_receipts',
      'has no eth_getBlockReceipts: each block takes a call for each transaction',
      'Use a node that has it, if the chain lags.',
    ),
  ]
}

/** Without traces, internal transfers are found by balances after a confirmed block. */
async function pastState(
  connection: ChainConnection,
  of: string,
  name: string,
  head: number,
): Promise<Finding[]> {
  const height = Math.max(0, head - stateDepth)
  try {
    await connection.reader.balances?.([zeroAddress], height)
    return []
  } catch (error) {
    return [
      fault(
        of,
        'node_state',
        `offers no traces, and has not the balances of ${stateDepth} blocks ago: internal transfers of the native coin are not found (${reasonOf(error, name)})`,
        'Use a node with debug_traceBlockByHash, or one that keeps the state of its last 128 blocks (an archive node for imports from further back).',
      ),
    ]
  }
}

function ofAll(chain: ConfiguredChain, asked: readonly Asked[]): Finding[] {
  const usable = asked.filter(({ head }) => head !== null)
  const found: Finding[] = []
  if (asked.length === 1)
    found.push(
      advice(
        chain.name,
        'node_alone',
        'has one node: what it says is believed',
        'Name a second one, of another operator, in its …_RPC_URLS (docs/deployment.md, Nodes).',
      ),
    )
  const byTraces = chain.family === 'evm' && chain.nativeLog === null && chain.internalTransfers === 'auto'
  if (byTraces && usable.length > 0 && !usable.some(({ traces }) => traces))
    found.push(
      advice(
        chain.name,
        'node_traces',
        'no node offers traces: native coin that a contract sends is found by balances, later and without its transaction',
        'Use a node with debug_traceBlockByHash if you take the native coin.',
      ),
    )
  return found
}

/**
 * A subscription to new blocks that does not come up is tried for ever, and polling replaces it: it stays
 * unseen.
 */
async function headsAnnounced(chain: ConfiguredChain, timeoutMs: number): Promise<Finding[]> {
  const names = uniqueNames(chain.wsUrls)
  const opened = await Promise.all(chain.wsUrls.map((url) => opens(url, timeoutMs)))
  return opened.flatMap((works, index) =>
    works
      ? []
      : [
          fault(
            `${chain.name}: ${names[index]}`,
            'node_websocket',
            'takes no WebSocket: new blocks are found by polling only',
            `Correct ${chain.name.toUpperCase()}_WS_URLS, or remove it.`,
          ),
        ],
  )
}

function opens(url: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url)
    const end = (works: boolean) => {
      clearTimeout(timer)
      resolve(works)
      socket.close()
    }
    const timer = setTimeout(() => end(false), timeoutMs)
    socket.addEventListener('open', () => end(true))
    socket.addEventListener('error', () => end(false))
  })
}
