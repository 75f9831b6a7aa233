import { Redirect, Route, Switch } from 'wouter'
import { LazyPages, lazyPage } from '../ui/LazyPage.tsx'
import { BusinessArea } from './business/BusinessArea.tsx'
import { PlatformArea } from './platform/PlatformArea.tsx'
import { useMe } from './session/session.ts'
import { homePath } from './shell/home.ts'
import { NotFoundPage } from './shell/NotFoundPage.tsx'

const AccountPage = lazyPage(async () => (await import('./account/AccountPage.tsx')).AccountPage)
const BusinessesPage = lazyPage(async () => (await import('./business/BusinessesPage.tsx')).BusinessesPage)

/** The pages for signed-in accounts. */
export function Pages() {
  const me = useMe()
  return (
    <LazyPages>
      <Switch>
        <Route path="/">
          <Redirect to={homePath(me)} replace />
        </Route>
        <Route path="/businesses" component={BusinessesPage} />
        <Route path="/account" component={AccountPage} />
        <Route path="/platform/*">
          <PlatformArea />
        </Route>
        <Route path="/b/:businessId/*?">
          {({ businessId }) => <BusinessArea key={businessId} businessId={businessId} />}
        </Route>
        <Route component={NotFoundPage} />
      </Switch>
    </LazyPages>
  )
}
