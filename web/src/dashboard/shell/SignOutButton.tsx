import { useNotify } from '../../ui/Notices.tsx'
import { plainError } from '../../ui/plainError.ts'
import { leaveForSignIn } from '../session/leave.ts'
import { useApi } from '../session/session.ts'

export function SignOutButton() {
  const api = useApi()
  const notify = useNotify()
  async function signOut(): Promise<void> {
    try {
      await api.call('signOut')
      leaveForSignIn()
    } catch (error) {
      notify(plainError(error).message)
    }
  }
  return (
    <button type="button" className="button" onClick={() => void signOut()}>
      Sign out
    </button>
  )
}
