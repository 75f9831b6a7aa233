import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { AuthenticationError } from '../../../../client/index.ts'
import type { Me } from '../types.ts'
import { createApi } from './createApi.ts'
import { FreshFactorDialog } from './FreshFactorDialog.tsx'
import { SessionContext, type SessionState } from './session.ts'

const out: SessionState = { state: 'out' }

/** Holds the signed-in account, and notices when the session ends. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState<SessionState>({ state: 'loading' })
  const [unsure, setUnsure] = useState(0)
  const factor = useRef<PromiseWithResolvers<boolean>>(undefined)
  const [asksFactor, setAsksFactor] = useState(false)
  const api = useMemo(
    () =>
      createApi({
        onUnauthorized(path) {
          if (path === '/me') setNow(out)
          // Another 401 may mean a wrong password: read `/me` to see whether the session still exists.
          else if (!path.startsWith('/sign-in')) setUnsure((count) => count + 1)
        },
        onStaleFactor() {
          factor.current ??= Promise.withResolvers<boolean>()
          setAsksFactor(true)
          return factor.current.promise
        },
      }),
    [],
  )
  const factorDone = useCallback((given: boolean) => {
    setAsksFactor(false)
    factor.current?.resolve(given)
    factor.current = undefined
  }, [])
  const signedIn = useCallback((me: Me) => setNow({ state: 'in', me }), [])
  const signedOut = useCallback(() => setNow(out), [])
  const refresh = useCallback(async () => {
    // After a failure, show that it loads: the old error must not pass for the new answer.
    setNow((was) => (was.state === 'failed' ? { state: 'loading' } : was))
    try {
      signedIn(await api.call('getAccount'))
    } catch (error) {
      if (error instanceof AuthenticationError) setNow(out)
      // A signed-in account stays signed in while Cowry is unreachable.
      else setNow((was) => (was.state === 'in' ? was : { state: 'failed', error }))
    }
  }, [api, signedIn])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at the start, and again whenever an answer makes it unsure
  useEffect(() => void refresh(), [refresh, unsure])
  const session = useMemo(
    () => ({ now, api, signedIn, signedOut, refresh }),
    [now, api, signedIn, signedOut, refresh],
  )
  return (
    <SessionContext value={session}>
      {children}
      {asksFactor && now.state === 'in' && <FreshFactorDialog onDone={factorDone} />}
    </SessionContext>
  )
}
