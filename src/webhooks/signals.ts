/** Signals within this process that an endpoint has more deliveries. */
export interface Signals {
  ring(endpointId: string): void
  /** @returns a function that unsubscribes */
  listen(endpointId: string, listener: () => void): () => void
}

export function createSignals(): Signals {
  const listenersOf = new Map<string, Set<() => void>>()
  return {
    ring(endpointId) {
      for (const listener of listenersOf.get(endpointId) ?? []) listener()
    },
    listen(endpointId, listener) {
      const listeners = listenersOf.get(endpointId) ?? new Set()
      listenersOf.set(endpointId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) listenersOf.delete(endpointId)
      }
    },
  }
}
