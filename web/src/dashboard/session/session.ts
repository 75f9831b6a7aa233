import { createContext, useContext } from 'react'
import type { DashboardClient } from '../../../../client/index.ts'
import type { Me } from '../types.ts'

export type SessionState = { state: 'loading' } | { state: 'failed'; error: unknown } | { state: 'out' } | { state: 'in'; me: Me }

export interface Session {
  now: SessionState
  api: DashboardClient
  /** Keeps what an answer told of the account. */
  signedIn: (me: Me) => void
  signedOut: () => void
  /** Asks again who is signed in. */
  refresh: () => Promise<void>
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('there is no session around this')
  return session
}

export const useApi = (): DashboardClient => useSession().api

/** Who is signed in; for pages that are shown to nobody else. */
export function useMe(): Me {
  const { now } = useSession()
  if (now.state !== 'in') throw new Error('this page is for those who are signed in')
  return now.me
}
