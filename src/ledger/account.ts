/** An account of a business, or of the platform. Money that the platform holds has its balance on the debit side. */
export type Account =
  | { name: 'pending' | 'available'; businessId: string; asset: string }
  | { name: `deposits:${string}` | `treasury:${string}` | 'network_costs'; businessId: null; asset: string }
  /** Owed to an unknown owner. */
  | { name: 'suspense'; businessId: null; asset: string }
