import type { ChainConnection } from './connection.ts'
import type { ConfiguredChain } from './registry.ts'

/** The connections of a process that reads chains only when something asks for them. */
export interface LazyConnections {
  /** Connects at the first call; the same connection from then on. @throws when the chain is not configured */
  of(name: string): Promise<ChainConnection>
  close(): Promise<void>
}

/** @param connect loads the libraries of the chain's family */
export function lazyConnections(chains: readonly ConfiguredChain[], connect: (chain: ConfiguredChain) => Promise<ChainConnection>): LazyConnections {
  const connections = new Map<string, Promise<ChainConnection>>()
  return {
    async of(name) {
      const chain = chains.find((each) => each.name === name)
      if (!chain) throw new Error(`${name} is not configured`)
      const connection = connections.get(name) ?? connect(chain)
      connections.set(name, connection)
      return connection
    },
    close: async () => void (await Promise.all([...connections.values()].map(async (each) => (await each).close()))),
  }
}
