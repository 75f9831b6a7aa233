import type { Log } from '../../../platform/telemetry/log.ts'
import { type InternalMethod, ProviderError } from '../../chain.ts'
import { type JsonRpc, RpcError } from '../../providers/jsonRpc.ts'
import { WrongChainError } from '../../providers/providers.ts'
import type { RpcHeader } from '../rpcTypes.ts'
import { type Tracer, tracerOptions, tracers } from './internal.ts'

/** What one provider supports. */
interface Capabilities {
  blockReceipts: boolean
  finalizedTag: boolean
  tracer: Tracer | null
}

/** Identifies providers and surveys their capabilities. */
export interface Surveyed {
  /**
   * Checks the chain of a provider, and surveys its capabilities at first and once an hour. @throws
   * WrongChainError
   */
  identify(rpc: JsonRpc): Promise<void>
  /** Null before the provider was surveyed. */
  of(name: string): Capabilities | null
  /** The best tracer that any provider offers. */
  tracer(): Tracer | null
  /** Null before any provider was surveyed. */
  internalMethod(): InternalMethod | null
}

/** The settings of a chain that decide how it is read. */
export interface SurveyedChain {
  network: string
  nativeLog: string | null
  internalTransfers: 'auto' | 'balances' | 'off'
}

export function createSurvey(chain: SurveyedChain, log: Log): Surveyed {
  const found = new Map<string, Capabilities>()
  const surveyedAt = new Map<string, number>()
  const tracer = () => tracers.find((each) => [...found.values()].some((one) => one.tracer === each)) ?? null
  return {
    async identify(rpc) {
      const answered = await rpc.call('eth_chainId', [])
      if (typeof answered !== 'string' || String(Number(answered)) !== chain.network) {
        throw new WrongChainError(
          `${rpc.name} is a node of chain id ${String(answered).slice(0, 20)}, expected ${chain.network}`,
        )
      }
      const known = found.get(rpc.name)
      if (known && Date.now() - (surveyedAt.get(rpc.name) ?? 0) < surveyEveryMs) return
      const capabilities = await survey(chain, rpc)
      if (!capabilities) return
      found.set(rpc.name, capabilities)
      surveyedAt.set(rpc.name, Date.now())
      if (!known || keys.some((key) => known[key] !== capabilities[key]))
        log.info({ provider: rpc.name, ...capabilities }, 'provider: capabilities')
    },
    of: (name) => found.get(name) ?? null,
    tracer,
    internalMethod() {
      if (chain.internalTransfers === 'off') return 'none'
      if (chain.nativeLog !== null) return 'events'
      if (chain.internalTransfers === 'balances') return 'balances'
      if (found.size === 0) return null
      return tracer() ? 'traces' : 'balances'
    },
  }
}

/**
 * A node does not have the block that it just named: the chain forked, or another node behind a load balancer
 * answered.
 */
class MissingOwnBlockError extends ProviderError {
  override readonly code = 'own_block_missing'
}

const surveyAttempts = 3

/**
 * Tries each capability on the provider's newest block, again where a fork removed that block. Null where it
 * has no block yet.
 */
async function survey(chain: SurveyedChain, rpc: JsonRpc): Promise<Capabilities | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      const head = (await rpc.call('eth_getBlockByNumber', ['latest', false])) as RpcHeader | null
      if (!head) return null
      return {
        blockReceipts: await offers(rpc, 'eth_getBlockReceipts', [head.number]),
        finalizedTag: await offers(rpc, 'eth_getBlockByNumber', ['finalized', false]),
        tracer:
          chain.nativeLog === null && chain.internalTransfers === 'auto'
            ? await offeredTracer(rpc, head.hash)
            : null,
      }
    } catch (error) {
      if (!(error instanceof MissingOwnBlockError) || attempt === surveyAttempts) throw error
    }
  }
}

const keys = ['blockReceipts', 'finalizedTag', 'tracer'] as const
/** Plans and nodes change. */
const surveyEveryMs = 3_600_000

/**
 * Only an unsupported method counts as no; any other failure is thrown, so that the survey runs again later.
 */
async function offers(rpc: JsonRpc, method: string, params: unknown[]): Promise<boolean> {
  try {
    if ((await rpc.call(method, params)) != null) return true
    // A young chain has no finalized block.
    if (params[0] === 'finalized') return false
    throw new MissingOwnBlockError(
      `${rpc.name}: ${method}: does not have the block that it named as its latest`,
    )
  } catch (error) {
    // A node without the tag `finalized` refuses it as a bad parameter or an unknown block.
    if (error instanceof RpcError && (error.isUnsupported || params[0] === 'finalized')) return false
    throw error
  }
}

async function offeredTracer(rpc: JsonRpc, blockHash: string): Promise<Tracer | null> {
  for (const tracer of tracers)
    if (await offers(rpc, 'debug_traceBlockByHash', [blockHash, tracerOptions(tracer)])) return tracer
  return null
}
