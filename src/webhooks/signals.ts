/** Tells whoever delivers to an endpoint in this process that there is more for it. */
export interface Signals {
  ring(endpointId: string): void
  /** @returns what ends it */
  listen(endpointId: string, heard: () => void): () => void
}

export function createSignals(): Signals {
  const listeners = new Map<string, Set<() => void>>()
  return {
    ring(endpointId) {
      for (const heard of listeners.get(endpointId) ?? []) heard()
    },
    listen(endpointId, heard) {
      const those = listeners.get(endpointId) ?? new Set()
      listeners.set(endpointId, those.add(heard))
      return () => {
        those.delete(heard)
        if (those.size === 0) listeners.delete(endpointId)
      }
    },
  }
}
