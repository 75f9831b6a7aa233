import type { TreasuryFacts } from '../../txmgr/intents.ts'
import { topUpPlaceSettings } from '../settings.ts'

/**
 * Where the treasury's own settings let top-ups of this token go, in normal form; null: nowhere. Rows of the
 * database do not decide it.
 */
export function topUpAddress(
  { settings }: Pick<TreasuryFacts, 'settings'>,
  { chain, token }: { chain: string; token: string },
): string | null {
  const { YELLOWCARD_TOP_UP: place } = settings(topUpPlaceSettings)
  return place?.chain === chain && place.token === token ? place.address : null
}
