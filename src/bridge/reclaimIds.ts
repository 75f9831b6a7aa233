import type { BridgeTransfer } from './bridgeRow.ts'
import { derivedId } from './mintIds.ts'
import type { Move } from './moveBridge.ts'

/** Circle's program returns the rent after five days, by the chain's clock. */
const windowMs = 5 * 86_400_000
/** The clocks of a chain and of the worker differ. */
const clockMs = 600_000

/** So many transactions of a wallet try to return the rent of one burn: each costs a fee. */
export const maxReclaims = 5
/** Intents that end unsigned use up an id each. */
export const maxReclaimIds = 100

export const reclaimIdsOf = (transferId: string): string[] =>
  Array.from({ length: maxReclaimIds }, (_, n) => derivedId(`cowry bridge reclaim ${transferId} ${n}`))

/** A transfer whose mint is final: only the rent of its event account is left. */
export function afterFinal({
  eventAccount,
  burntAt,
  createdAt,
}: Pick<BridgeTransfer, 'eventAccount' | 'burntAt' | 'createdAt'>): Move {
  if (eventAccount === null) return { nextInMs: null }
  const reclaimAt = new Date((burntAt ?? createdAt).getTime() + windowMs + clockMs)
  return { reclaimAt, tries: 0, nextInMs: Math.max(reclaimAt.getTime() - Date.now(), 0) }
}
