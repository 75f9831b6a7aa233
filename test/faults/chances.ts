import { seeded } from './random.ts'

/** Chooses the fault of a request by its method; null: no fault. */
export type Chances<F> = (request: { method: string }) => F | null

/** A fault for a share of the requests. Several faults take turns per method, so that each is applied. */
export function sometimes<F>(faults: readonly F[], share: number, seed: number): Chances<F> {
  const random = seeded(seed)
  const chosen = new Map<string, number>()
  return ({ method }) => {
    if (random() >= share) return null
    const times = chosen.get(method) ?? 0
    chosen.set(method, times + 1)
    return faults[times % faults.length] ?? null
  }
}

/** One fault for several requests, then another one or no fault. */
export function inBursts<F>(faults: readonly F[], seed: number): Chances<F> {
  const random = seeded(seed)
  let left = 0
  let fault: F | null = null
  return () => {
    if (left-- <= 0) {
      left = 4 + Math.floor(random() * 16)
      fault = random() < 0.6 ? (faults[Math.floor(random() * faults.length)] ?? null) : null
    }
    return fault
  }
}
