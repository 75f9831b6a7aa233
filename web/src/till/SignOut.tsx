import { useState } from 'react'
import { useApi } from '../dashboard/session/session.ts'
import { Failed } from '../ui/Failed.tsx'

/** Ends the session, of the dashboard too, and loads the page again, so that nothing of it stays in memory. */
export function SignOut() {
  const api = useApi()
  const [failure, setFailure] = useState<unknown>()
  async function press(): Promise<void> {
    setFailure(undefined)
    try {
      await api.call('signOut')
      location.reload()
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <>
      <button type="button" className="link" onClick={() => void press()}>
        Sign out
      </button>
      {failure !== undefined && <Failed error={failure} />}
    </>
  )
}
