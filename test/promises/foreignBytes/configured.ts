import { configuredChains } from '../../../src/chains/configuration.ts'
import { RpcError } from '../../../src/chains/providers/jsonRpc.ts'
import type { ConfiguredChain } from '../../../src/chains/registry.ts'

export const observe = { called: () => {}, refused: () => {} }
export const gate = <T>(_method: string, request: () => Promise<T>): Promise<T> => request()

/** A chain whose nodes are in this process. */
export function configured(chain: string): ConfiguredChain {
  // Nothing listens there.
  const [found] = configuredChains({ [`${chain}_RPC_URLS`]: 'http://127.0.0.1:9' }).chains
  if (!found) throw new Error('the chain is not configured')
  return found
}

/** As a node refuses a method that it does not have. */
export class MissingMethod extends RpcError {
  constructor(method: string) {
    super(method, -32601, 'the method does not exist')
  }
}
