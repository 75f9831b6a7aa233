import type { Capability } from '../capability.ts'
import { swapSettings } from './settings.ts'

/** Prices of token pairs, of 0x and Jupiter. Swaps are not executed yet. */
export const swaps: Capability = {
  name: 'swaps',
  settings: { api: swapSettings },
  routes: { public: async () => (await import('./routes.ts')).swapRoutes },
}
