import { createContext, useContext } from 'react'
import type { DashboardClient } from '../../../../client/index.ts'
import type { Me } from '../types.ts'

export type SessionState =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown }
  | { state: 'out' }
  | { state: 'in'; me: Me }

export interface Session {
  now: SessionState
  api: DashboardClient
  /** Stores the account from an answer. */
  signedIn: (me: Me) => void
  signedOut: () => void
  /** Reads the signed-in account again. */
  refresh: () => Promise<void>
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('there is no session around this')
  return session
}

export const useApi = (): DashboardClient => useSession().api

/** The signed-in account; for pages behind `SignedInOnly`. */
export function useMe(): Me {
  const { now } = useSession()
  if (now.state !== 'in') throw new Error('this page needs a signed-in account')
  return now.me
}
