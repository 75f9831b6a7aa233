import type { Browser, Person } from './browser.ts'
import type { Payer } from './payers.ts'
import type { Stack } from './stack.ts'

/** An expected audit log entry, without its origin. */
export interface ExpectedEntry {
  action: string
  /** An id, or a placeholder for one. */
  target: unknown
  businessId: string | null
  before?: object
  after?: object
}

/** Parts of an answer that entries name. */
export interface Answered {
  id: string
  key: { id: string; prefix: string }
  endpoint: { id: string }
  invitation: { id: string }
  business: { id: string }
  account: { id: string; email: string }
  passkey: { id: string }
}

/** An operation with everything that it needs. */
export interface Ready {
  path: string
  /** Made for each attempt: codes count once. */
  body?: (() => object | Promise<object>) | undefined
  /** The caller; null: the stack's API key. */
  by: Browser | null
  /** The actor in the entries; by default the API key. */
  actor?: { id: string; label: string }
  entries(body: Answered): ExpectedEntry[]
}

export interface Operations {
  stack: Stack
  owner: Browser
  ownerIs: { id: string; label: string }
  ownerEmail: string
  ownerPassword: string
  payer: Payer
}

export type Recipe = (
  given: Operations,
  own: { person(role?: 'owner' | 'developer' | 'viewer' | 'cashier'): Promise<Person> },
) => Promise<Ready>
