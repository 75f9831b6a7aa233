import { watchHandlings } from '../src/capabilities.ts'
import type { WatchPurpose } from '../src/watches/purposes.ts'

/** True if a watch of this purpose sees what comes in and goes out, and not payments alone. */
export const seesTransfers = (purpose: WatchPurpose): boolean => watchHandlings[purpose].sees === 'transfers'

/** True if all payments to a watch of this purpose add up to one amount. */
export const addsUp = (purpose: WatchPurpose): boolean => watchHandlings[purpose].addsUp === true

/** True if watches of this purpose stay for months. */
export const lasts = (purpose: WatchPurpose): boolean => watchHandlings[purpose].lasts === true

/** Purposes whose watches see transfers in both directions. */
export const transferPurposes: readonly WatchPurpose[] = (
  Object.keys(watchHandlings) as WatchPurpose[]
).filter(seesTransfers)
