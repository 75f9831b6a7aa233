import type { Capability } from '../capability.ts'

const sending = ['api.wallet-stored'] as const

declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof sending)[number], 'sending'> {}
}

/** Wallets of a business's own, generated or stored. */
export const wallets: Capability = {
  name: 'wallets',
  failpoints: { sending },
  routes: { public: async () => (await import('./routes.ts')).walletRoutes },
}
