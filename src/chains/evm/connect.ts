import type { ChainConnection, ConnectOptions } from '../connection.ts'
import { listenForHeads } from '../providers/heads.ts'
import { openJsonRpc, parsing } from '../providers/jsonRpc.ts'
import { uniqueNames } from '../providers/names.ts'
import { createProviders } from '../providers/providers.ts'
import type { ConfiguredChain } from '../registry.ts'
import { evmBlockReader } from './read/blockReader.ts'
import { createSurvey } from './read/capabilities.ts'
import { newHeads } from './read/heads.ts'
import { createUnproven } from './read/unproven.ts'

export function connect(
  chain: ConfiguredChain,
  { timeoutMs, crossCheckMs, readBytes = true, observe, log, turn, threads }: ConnectOptions,
): ChainConnection {
  const survey = createSurvey(chain, log)
  const names = uniqueNames(chain.rpcUrls)
  const providers = createProviders(
    chain.rpcUrls.map((url, index) => (gate) => {
      const rpc = openJsonRpc(url, timeoutMs, gate, names[index], turn)
      return readBytes ? rpc : parsing(rpc)
    }),
    { observe, identify: survey.identify, silence: { crossCheckMs, blockMs: chain.blockMs } },
  )
  return {
    reader: evmBlockReader({
      providers,
      survey,
      rules: chain,
      threads,
      crossCheckMs,
      unproven: createUnproven(observe, log),
      notUnderstood: (provider) => observe.notUnderstood?.(provider),
    }),
    listen: (onHead, signal) => listenForHeads(newHeads, chain.wsUrls, onHead, log, signal),
    accounts: async () => (await import('./accounts.ts')).openAccounts({ providers, chain }),
    offers: (provider) => survey.of(provider),
    providers: () => providers.states(),
    close: () => providers.close(),
  }
}
