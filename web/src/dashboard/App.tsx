import { useRef } from 'react'
import { Route, Router, Switch } from 'wouter'
import { Notices } from '../ui/Notices.tsx'
import { PageShown } from '../ui/Page.tsx'
import { InvitationPage } from './account/InvitationPage.tsx'
import { Pages } from './Pages.tsx'
import { ForgotPage } from './session/ForgotPage.tsx'
import { SessionProvider } from './session/SessionProvider.tsx'
import { SignedInOnly } from './session/SignedInOnly.tsx'
import { SignInPage } from './session/SignInPage.tsx'
import { LeaveForTill } from './shell/LeaveForTill.tsx'
import { Shell } from './shell/Shell.tsx'

export function App() {
  const pageShown = useRef(null)
  return (
    <Router base="/dashboard">
      <PageShown value={pageShown}>
        <Notices>
          <SessionProvider>
            <Switch>
              <Route path="/sign-in" component={SignInPage} />
              <Route path="/forgot" component={ForgotPage} />
              <Route path="/invitation" component={InvitationPage} />
              <Route>
                <SignedInOnly>
                  <LeaveForTill>
                    <Shell>
                      <Pages />
                    </Shell>
                  </LeaveForTill>
                </SignedInOnly>
              </Route>
            </Switch>
          </SessionProvider>
        </Notices>
      </PageShown>
    </Router>
  )
}
