import { readSettings } from '../platform/config.ts'
import { topUpPlaceSettings } from './settings.ts'

/** Where the treasury's own settings let top-ups of this token go, in normal form; null: nowhere. Rows of the database have no say in it. */
export function topUpAddress(chain: string, token: string, env: NodeJS.ProcessEnv = process.env): string | null {
  const { YELLOWCARD_TOP_UP: place } = readSettings('treasury', topUpPlaceSettings, env)
  return place?.chain === chain && place.token === token ? place.address : null
}
