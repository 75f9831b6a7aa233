import type { Capability } from '../capability.ts'
import { positive, type Settings } from '../platform/settings.ts'

const sending = ['api.wallet-stored'] as const

const types = { 'wallet.low_balance': 'Its native coin runs low: fees may soon not be paid.' }

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof sending)[number], 'sending'> {}
}

const settings = {
  worker: {
    variables: {
      LOW_BALANCE_POLL_MS: positive.default(15_000),
      LOW_BALANCE_CHECK_MS: positive.default(300_000),
    },
  },
} satisfies Record<string, Settings>

/** Wallets of a business's own, generated or stored. */
export const wallets: Capability = {
  name: 'wallets',
  failpoints: { sending },
  routes: { shared: async () => (await import('./routes.ts')).walletRoutes },
  events: [{ topic: 'wallet', label: 'Wallets', hint: 'Stored wallets that you send from.', types }],
  tables: { wallet_balances: { api: 'select, insert, update', worker: 'select, insert, update' } },
  settings,
  startWorker: async (ctx) => {
    const { LOW_BALANCE_POLL_MS: pollMs, LOW_BALANCE_CHECK_MS: checkMs } = ctx.settings(settings.worker)
    return (await import('./startBalanceChecks.ts')).startBalanceChecks(ctx, { pollMs, checkMs })
  },
}
