import type { ApiStart } from '../capability.ts'
import { knownHashes } from '../rateLimits/knownHashes.ts'
import type { BroughtContext } from '../routeContext.ts'
import { readKeyHashes } from './findKey.ts'
import { trackKeyUse } from './keyUse.ts'

/** Checks of API keys, and the record of when each was last used. */
export function startKeys({ db, log, onStop }: ApiStart): Pick<BroughtContext, 'knownKeys' | 'keyUse'> {
  const keyUse = trackKeyUse({ db, log })
  onStop(() => keyUse.close())
  return { knownKeys: knownHashes((firstId) => readKeyHashes({ db }, firstId)), keyUse }
}
