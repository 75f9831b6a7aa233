import { Redirect, Route, Switch } from 'wouter'
import { AccountPage } from './account/AccountPage.tsx'
import { BusinessArea } from './business/BusinessArea.tsx'
import { BusinessesPage } from './business/BusinessesPage.tsx'
import { PlatformArea } from './platform/PlatformArea.tsx'
import { useMe } from './session/session.ts'
import { NotFoundPage } from './shell/NotFoundPage.tsx'
import { businessPath } from './shell/navigation.ts'

/** The pages for signed-in accounts. */
export function Pages() {
  const { businesses } = useMe()
  const [only] = businesses
  return (
    <Switch>
      <Route path="/">
        <Redirect to={only && businesses.length === 1 ? businessPath(only.id) : '/businesses'} replace />
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
  )
}
