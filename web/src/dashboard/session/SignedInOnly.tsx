import type { ReactNode } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { Failed } from '../../ui/Failed.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { signInPath } from './returnPath.ts'
import { useSession } from './session.ts'

/** Shows its children to signed-in accounts; others go to the sign-in page and come back. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const { now, refresh } = useSession()
  const [path] = useLocation()
  const search = useSearch()
  if (now.state === 'in') return children
  if (now.state === 'out') return <Redirect to={signInPath(path, search)} replace />
  return (
    <main className="alone">
      <h1 className="unseen">Cowry</h1>
      {now.state === 'failed' ? <Failed error={now.error} retry={() => void refresh()} /> : <Loading />}
    </main>
  )
}
