import { type Forgery, otherIntent } from './forgery.ts'
import { business, honest, paying, refund, sql, thief, usdt } from './forging.ts'

/** Intents that an honest outflow does not request. */
export const forgedIntents: Forgery[] = [
  {
    what: 'an intent to another address',
    forge: () => otherIntent(honest, { to: thief }),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an intent of another amount',
    forge: () => otherIntent(honest, { amount: 501n }),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an intent of another token',
    forge: () => otherIntent(honest, { token: usdt }),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an intent of native coin',
    forge: () => otherIntent(honest, { token: null }),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an intent at a price of its own',
    forge: () => otherIntent(honest, { gasPrice: 10n ** 12n }),
    checks: ['action'],
    why: /not what its purpose/,
  },
  {
    what: "a refund's intent to another address",
    forge: () => otherIntent(refund, { to: thief }),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an intent of a business',
    forge: async () => {
      const outflow = await honest()
      return { outflow, wanted: { ...paying(outflow), businessId: business } }
    },
    checks: ['policy', 'signer'],
    why: /for no business/,
  },
  {
    what: 'an intent from a deposit address',
    forge: async () => {
      const [row] = await sql<{ address: string }>(
        "select address from deposit_addresses where family = 'evm' order by index limit 1",
      )
      return otherIntent(honest, { from: row?.address ?? '' })
    },
    checks: ['signer', 'action'],
    why: /not from the treasury/,
  },
]
