import type { Browser, Person } from './browser.ts'
import type { Payer } from './payers.ts'
import type { Stack } from './stack.ts'

/** What the audit log is to say of one thing that was done, besides where it came from. */
export interface Said {
  action: string
  /** An id, or what stands for one. */
  target: unknown
  businessId: string | null
  before?: object
  after?: object
}

/** What an answer may hold that entries name. */
export interface Answered {
  id: string
  key: { id: string; prefix: string }
  endpoint: { id: string }
  invitation: { id: string }
  business: { id: string }
  account: { id: string; email: string }
  passkey: { id: string }
}

/** An operation that is ready to be carried out. */
export interface Ready {
  path: string
  /** Asked for each try: codes count once. */
  body?: (() => object | Promise<object>) | undefined
  /** Who does it; null: the stack's API key. */
  by: Browser | null
  /** Whom the entries name; an API key is named by itself. */
  actor?: { id: string; label: string }
  says(body: Answered): Said[]
}

export interface Operations {
  stack: Stack
  owner: Browser
  ownerIs: { id: string; label: string }
  ownerEmail: string
  ownerPassword: string
  payer: Payer
}

export type Recipe = (given: Operations, own: { person(role?: 'owner' | 'developer' | 'viewer'): Promise<Person> }) => Promise<Ready>
