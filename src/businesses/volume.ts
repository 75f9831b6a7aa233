import type { Approval } from '../members/businessApproval.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { Created, Page, PageRequest } from '../platform/pages.ts'

/** Paid sessions of a time, and what they keep in US dollars: a stablecoin counts as one. */
interface Taken {
  payments: number
  dollars: string
}

/** What a business took. */
export interface Volume {
  /** Since midnight UTC. */
  today: Taken
  /** Today and the 29 days before. */
  days30: Taken
  lastPaymentAt: string | null
}

export interface BusinessFilter extends Created {
  approval?: readonly Approval[]
  /** A part of the name. */
  q?: string
}

export type BusinessOrder = 'opened' | 'name' | 'lastPayment' | 'volume'

/** What sessions know of businesses. */
export interface Volumes {
  read(db: Queryable, ids: readonly string[]): Promise<Map<string, Volume>>
  /** Ids of one page in an order that has no cursor. */
  sorted(
    db: Queryable,
    filter: BusinessFilter,
    order: Exclude<BusinessOrder, 'opened'>,
    request: PageRequest,
  ): Promise<{ ids: string[]; page: Page }>
}
