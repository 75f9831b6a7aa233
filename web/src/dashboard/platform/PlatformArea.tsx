import { Route, Switch } from 'wouter'
import { useMe } from '../session/session.ts'
import { NotFoundPage } from '../shell/NotFoundPage.tsx'
import { AdjustmentsPage } from './AdjustmentsPage.tsx'
import { ClosesPage } from './ClosesPage.tsx'
import { FloatPage } from './FloatPage.tsx'
import { OperatedBusinessesPage } from './OperatedBusinessesPage.tsx'
import { OperatedBusinessPage } from './OperatedBusinessPage.tsx'
import { PartnersPage } from './PartnersPage.tsx'
import { PlansPage } from './PlansPage.tsx'
import { PlatformAuditPage } from './PlatformAuditPage.tsx'
import { SuspensePage } from './SuspensePage.tsx'
import { VerificationPricesPage } from './VerificationPricesPage.tsx'

/** The pages for operators of the platform. */
export function PlatformArea() {
  if (!useMe().account.operator) return <NotFoundPage />
  return (
    <Switch>
      <Route path="/platform/businesses" component={OperatedBusinessesPage} />
      <Route path="/platform/businesses/:businessId">
        {({ businessId }) => <OperatedBusinessPage key={businessId} businessId={businessId} />}
      </Route>
      <Route path="/platform/float" component={FloatPage} />
      <Route path="/platform/partners" component={PartnersPage} />
      <Route path="/platform/verification-prices" component={VerificationPricesPage} />
      <Route path="/platform/plans" component={PlansPage} />
      <Route path="/platform/adjustments" component={AdjustmentsPage} />
      <Route path="/platform/suspense" component={SuspensePage} />
      <Route path="/platform/closes" component={ClosesPage} />
      <Route path="/platform/audit" component={PlatformAuditPage} />
      <Route component={NotFoundPage} />
    </Switch>
  )
}
