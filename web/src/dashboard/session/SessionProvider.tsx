import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { AuthenticationError } from '../../../../client/index.ts'
import type { Me } from '../types.ts'
import { createApi } from './createApi.ts'
import { SessionContext, type SessionState } from './session.ts'

const out: SessionState = { state: 'out' }

/** Knows who is signed in, and hears of it when the session ends. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState<SessionState>({ state: 'loading' })
  const [unsure, setUnsure] = useState(0)
  const api = useMemo(
    () =>
      createApi((path) => {
        if (path === '/me') setNow(out)
        // Other answers of 401 may mean a wrong password; who is signed in is what `/me` says.
        else if (!path.startsWith('/sign-in')) setUnsure((count) => count + 1)
      }),
    [],
  )
  const signedIn = useCallback((me: Me) => setNow({ state: 'in', me }), [])
  const signedOut = useCallback(() => setNow(out), [])
  const refresh = useCallback(async () => {
    // Asking takes a while where it failed before: the old answer must not look like the new one.
    setNow((was) => (was.state === 'failed' ? { state: 'loading' } : was))
    try {
      signedIn(await api.call('getAccount'))
    } catch (error) {
      if (error instanceof AuthenticationError) setNow(out)
      // Somebody who is signed in stays so while Cowry cannot be reached.
      else setNow((was) => (was.state === 'in' ? was : { state: 'failed', error }))
    }
  }, [api, signedIn])
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked at the start, and again whenever an answer makes it unsure
  useEffect(() => void refresh(), [refresh, unsure])
  const session = useMemo(() => ({ now, api, signedIn, signedOut, refresh }), [now, api, signedIn, signedOut, refresh])
  return <SessionContext value={session}>{children}</SessionContext>
}
