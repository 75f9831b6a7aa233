/** Signals within this process that an endpoint has more deliveries. */
export interface Signals {
  /** @returns true if the endpoint is in delivery here: what was stored before this call is claimed */
  ring(endpointId: string): boolean
  /** @returns a function that unsubscribes */
  listen(endpointId: string, listener: () => void): () => void
}

export function createSignals(): Signals {
  const listenersOf = new Map<string, Set<() => void>>()
  return {
    ring(endpointId) {
      const listeners = listenersOf.get(endpointId)
      for (const listener of listeners ?? []) listener()
      return listeners !== undefined
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
