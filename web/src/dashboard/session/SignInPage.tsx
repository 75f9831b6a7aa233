import { Link, Redirect, useSearchParams } from 'wouter'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { AlonePage } from '../shell/AlonePage.tsx'
import { returnPath } from './returnPath.ts'
import { SignInForm } from './SignInForm.tsx'
import { useSession } from './session.ts'

export function SignInPage() {
  const { now, api, signedIn } = useSession()
  const [search] = useSearchParams()
  const help = useLoaded('', (signal) => api.call('getSignInHelp', { signal }))
  if (now.state === 'in') return <Redirect to={returnPath(search.get('return'))} replace />
  const resets = help.now.state === 'ready' && help.now.value.resetByMail
  return (
    <AlonePage>
      <Page title="Sign in">
        <SignInForm onSignedIn={signedIn} />
        {resets && (
          <p>
            <Link href="/forgot">Forgot your password?</Link>
          </p>
        )}
        <p className="fine">
          You need an invitation to open an account. If you can no longer sign in, ask the operator of this
          platform for a new link.
        </p>
      </Page>
    </AlonePage>
  )
}
