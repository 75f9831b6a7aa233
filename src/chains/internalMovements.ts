import type { Transfer } from './chain.ts'

/**
 * Identifies movements of internal calls in one transaction. Nodes number calls differently, so the key has
 * sender, recipient, amount, and the place among identical ones.
 */
export function namedInternals(movements: readonly Omit<Transfer, 'movementKey'>[]): Transfer[] {
  const seen = new Map<string, number>()
  return movements.map((movement) => {
    const alike = `${movement.from}:${movement.to}:${movement.amount}`
    const before = seen.get(alike) ?? 0
    seen.set(alike, before + 1)
    return { ...movement, movementKey: `trace:${alike}:${before}` }
  })
}

/** A single call's movement, not the net change of a balance over all calls of a transaction. */
export const isCall = (movementKey: string): boolean =>
  movementKey.startsWith('trace:') && !movementKey.startsWith('trace:net')
