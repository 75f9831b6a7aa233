import { outOfScope } from '../platform/telemetry/scope.ts'
import type { ChainConnection } from './connection.ts'
import type { ConfiguredChain } from './registry.ts'

/** Connections of a process that reads chains only on demand. */
export interface LazyConnections {
  /**
   * Connects at the first call and keeps the connection; after an error the next call retries. @throws if the
   * chain is not configured
   */
  of(name: string): Promise<ChainConnection>
  close(): Promise<void>
}

/** @param connect loads the libraries of the chain's family */
export function lazyConnections(
  chains: readonly ConfiguredChain[],
  connect: (chain: ConfiguredChain) => Promise<ChainConnection>,
): LazyConnections {
  const connections = new Map<string, Promise<ChainConnection>>()
  return {
    async of(name) {
      const chain = chains.find((each) => each.name === name)
      if (!chain) throw new Error(`${name} is not configured`)
      const known = connections.get(name)
      if (known) return known
      // It outlives the request or job that is the first to need it.
      const connection = outOfScope(() => connect(chain)).catch((error) => {
        connections.delete(name)
        throw error
      })
      connections.set(name, connection)
      return connection
    },
    close: async () =>
      void (await Promise.all(
        [...connections.values()].map((each) =>
          each.then(
            (connection) => connection.close(),
            () => {},
          ),
        ),
      )),
  }
}
