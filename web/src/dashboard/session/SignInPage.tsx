import { Redirect, useSearchParams } from 'wouter'
import { Page } from '../../ui/Page.tsx'
import { AlonePage } from '../shell/AlonePage.tsx'
import { returnPath } from './returnPath.ts'
import { SignInForm } from './SignInForm.tsx'
import { useSession } from './session.ts'

export function SignInPage() {
  const { now, signedIn } = useSession()
  const [search] = useSearchParams()
  if (now.state === 'in') return <Redirect to={returnPath(search.get('return'))} replace />
  return (
    <AlonePage>
      <Page title="Sign in">
        <SignInForm onSignedIn={signedIn} />
        <p className="fine">
          You need an invitation to open an account. If you cannot sign in any more, ask whoever runs this platform for a new link.
        </p>
      </Page>
    </AlonePage>
  )
}
