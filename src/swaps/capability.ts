import type { Capability } from '../capability.ts'
import { swapSettings } from './settings.ts'
import { approvalPurpose, swapPurpose } from './swapPurposes.ts'

const types = {
  'swap.confirmed': 'It is deep enough in the chain: the recipient has the minimum or more.',
  'swap.failed': 'The chain refused it, or it was not sent: nothing was swapped.',
  'swap.expired': 'It was in no block in time: nothing was swapped.',
}
const swapping = [
  'api.swap-prepared',
  'api.swap-claimed',
  'api.swap-signed',
  'api.swap-sent',
  'api.swap-recorded',
  'api.swap-next',
  'api.swap-resigned',
] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof swapping)[number], 'swapping'> {}
}

/** Prices of token pairs, of 0x and Jupiter, and swaps with keys of requests. */
export const swaps: Capability = {
  name: 'swaps',
  settings: { api: swapSettings },
  routes: {
    public: async () => (await import('./routes.ts')).swapRoutes,
    shared: async () => (await import('./listRoutes.ts')).swapListRoutes,
  },
  tables: { swaps: { api: 'select, insert', worker: 'select' } },
  events: [{ topic: 'swap', label: 'Swaps', hint: 'The progress of a swap that you execute.', types }],
  failpoints: { swapping },
  intents: [swapPurpose, approvalPurpose],
  startWorker: async ({ metrics, db }) => (await import('./recentSwaps.ts')).createSwapGauge(metrics, db),
}
