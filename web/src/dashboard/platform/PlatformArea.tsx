import { Route, Switch } from 'wouter'
import { LazyPages } from '../../ui/LazyPage.tsx'
import { useMe } from '../session/session.ts'
import { NotFoundPage } from '../shell/NotFoundPage.tsx'
import {
  AdjustmentsPage,
  ClosesPage,
  FloatPage,
  HealthPage,
  OperatedBusinessesPage,
  OperatedBusinessPage,
  PartnersPage,
  PlansPage,
  PlatformAuditPage,
  SuspensePage,
  VerificationPricesPage,
} from './pages.ts'

/** The pages for operators of the platform. */
export function PlatformArea() {
  if (!useMe().account.operator) return <NotFoundPage />
  return (
    <LazyPages>
      <Switch>
        <Route path="/platform/businesses" component={OperatedBusinessesPage} />
        <Route path="/platform/businesses/:businessId">
          {({ businessId }) => <OperatedBusinessPage key={businessId} businessId={businessId} />}
        </Route>
        <Route path="/platform/health" component={HealthPage} />
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
    </LazyPages>
  )
}
