import type { TreasuryFacts } from '../txmgr/intents.ts'

/** Where the treasury sends a partner's top-ups, by its own settings; null: nowhere, so it signs none. */
export function topUpAddress(_chain: string, _token: string, _facts: TreasuryFacts): string | null {
  return null
}
