import type { Transfer } from './chain.ts'

/**
 * Names movements that calls made within one transaction. Nodes number calls differently, so a place among the calls names none of them: what
 * moved does, from whom to whom, and which of those alike it is.
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

/** What one call moved; not what all calls of a transaction together brought an account, as differences of its balances show. */
export const isCall = (movementKey: string): boolean => movementKey.startsWith('trace:') && !movementKey.startsWith('trace:net')
