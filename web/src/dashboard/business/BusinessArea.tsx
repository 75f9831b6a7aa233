import { Route, Switch } from 'wouter'
import { LazyPages } from '../../ui/LazyPage.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { ZoneContext } from '../../ui/zoneOfPage.ts'
import { useApi, useMe } from '../session/session.ts'
import { NotFoundPage } from '../shell/NotFoundPage.tsx'
import { ApprovalNotice } from './ApprovalNotice.tsx'
import { BusinessContext } from './business.ts'
import {
  ApprovalsPage,
  BalancesPage,
  BridgePage,
  BridgesPage,
  BusinessAuditPage,
  BusinessPage,
  CollectionPage,
  CollectionsPage,
  CreditPage,
  DeliveriesPage,
  DeliveryPage,
  DestinationsPage,
  EndpointPage,
  EntriesPage,
  EventPage,
  EventsPage,
  FindPaymentPage,
  KeyPage,
  KeysPage,
  MembersPage,
  MonitoringPage,
  NewCollectionPage,
  NewPaymentLinkPage,
  NewPaymentPage,
  OverviewPage,
  PayManyPage,
  PaymentLinkPage,
  PaymentLinksPage,
  PaymentSettingsPage,
  PayoutBatchesPage,
  PayoutBatchPage,
  PayoutPage,
  PayoutSettingsPage,
  PayoutsPage,
  SendingPage,
  SessionPage,
  SessionsPage,
  StakePage,
  StakesPage,
  StatementPage,
  SwapPage,
  SwapsPage,
  SweepsPage,
  TransferPage,
  TransfersPage,
  VerificationKeysPage,
  VerificationPage,
  VerificationsPage,
  WalletPage,
  WalletsPage,
  WebhooksPage,
} from './pages.ts'

/** The pages of one business. */
export function BusinessArea({ businessId }: { businessId: string }) {
  const api = useApi()
  const role = useMe().businesses.find((each) => each.id === businessId)?.role
  const business = useLoaded(businessId, (signal) =>
    api.call('getBusiness', { path: { businessId }, signal }),
  )
  if (!role) return <NotFoundPage />
  if (business.now.state !== 'ready') {
    return (
      <Page title="Your business">
        <Loaded of={business}>{() => null}</Loaded>
      </Page>
    )
  }
  const changeable = business.now.value.approval !== 'suspended'
  const here = {
    business: business.now.value,
    role,
    put: business.put,
    changeable,
    owns: changeable && role === 'owner',
    develops: changeable && (role === 'owner' || role === 'developer'),
  }
  return (
    <BusinessContext value={here}>
      <ZoneContext value={here.business.timeZone}>
        <ApprovalNotice business={here.business} />
        <LazyPages>
          <Switch>
            <Route path="/b/:businessId" component={OverviewPage} />
            <Route path="/b/:businessId/webhooks" component={DeliveriesPage} />
            <Route path="/b/:businessId/webhooks/:deliveryId">
              {({ deliveryId }) => <DeliveryPage key={deliveryId} deliveryId={deliveryId} />}
            </Route>
            <Route path="/b/:businessId/events" component={EventsPage} />
            <Route path="/b/:businessId/events/:eventId">
              {({ eventId }) => <EventPage key={eventId} eventId={eventId} />}
            </Route>
            <Route path="/b/:businessId/monitoring" component={MonitoringPage} />
            <Route path="/b/:businessId/balances" component={BalancesPage} />
            <Route path="/b/:businessId/entries" component={EntriesPage} />
            <Route path="/b/:businessId/statement" component={StatementPage} />
            <Route path="/b/:businessId/sweeps" component={SweepsPage} />
            <Route path="/b/:businessId/approvals" component={ApprovalsPage} />
            <Route path="/b/:businessId/payments" component={SessionsPage} />
            <Route path="/b/:businessId/payments/new" component={NewPaymentPage} />
            <Route path="/b/:businessId/payments/find" component={FindPaymentPage} />
            <Route path="/b/:businessId/payments/:sessionId">
              {({ sessionId }) => <SessionPage key={sessionId} sessionId={sessionId} />}
            </Route>
            <Route path="/b/:businessId/payment-links" component={PaymentLinksPage} />
            <Route path="/b/:businessId/payment-links/new" component={NewPaymentLinkPage} />
            <Route path="/b/:businessId/payment-links/:linkId">
              {({ linkId }) => <PaymentLinkPage key={linkId} linkId={linkId} />}
            </Route>
            <Route path="/b/:businessId/payouts" component={PayoutsPage} />
            <Route path="/b/:businessId/payouts/many" component={PayManyPage} />
            <Route path="/b/:businessId/payouts/batches" component={PayoutBatchesPage} />
            <Route path="/b/:businessId/payouts/batches/:batchId">
              {({ batchId }) => <PayoutBatchPage key={batchId} batchId={batchId} />}
            </Route>
            <Route path="/b/:businessId/payouts/:payoutId">
              {({ payoutId }) => <PayoutPage key={payoutId} payoutId={payoutId} />}
            </Route>
            <Route path="/b/:businessId/destinations" component={DestinationsPage} />
            <Route path="/b/:businessId/collections" component={CollectionsPage} />
            <Route path="/b/:businessId/collections/new" component={NewCollectionPage} />
            <Route path="/b/:businessId/collections/:collectionId">
              {({ collectionId }) => <CollectionPage key={collectionId} collectionId={collectionId} />}
            </Route>
            <Route path="/b/:businessId/wallets" component={WalletsPage} />
            <Route path="/b/:businessId/wallets/:walletId">
              {({ walletId }) => <WalletPage key={walletId} walletId={walletId} />}
            </Route>
            <Route path="/b/:businessId/transfers" component={TransfersPage} />
            <Route path="/b/:businessId/transfers/:walletTransferId">
              {({ walletTransferId }) => (
                <TransferPage key={walletTransferId} transferId={walletTransferId} />
              )}
            </Route>
            <Route path="/b/:businessId/swaps" component={SwapsPage} />
            <Route path="/b/:businessId/swaps/:swapId">
              {({ swapId }) => <SwapPage key={swapId} swapId={swapId} />}
            </Route>
            <Route path="/b/:businessId/bridge" component={BridgesPage} />
            <Route path="/b/:businessId/bridge/:transferId">
              {({ transferId }) => <BridgePage key={transferId} transferId={transferId} />}
            </Route>
            <Route path="/b/:businessId/credit" component={CreditPage} />
            <Route path="/b/:businessId/verifications" component={VerificationsPage} />
            <Route path="/b/:businessId/verifications/:verificationId">
              {({ verificationId }) => (
                <VerificationPage key={verificationId} verificationId={verificationId} />
              )}
            </Route>
            <Route path="/b/:businessId/stakes" component={StakesPage} />
            <Route path="/b/:businessId/stakes/:stakeId">
              {({ stakeId }) => <StakePage key={stakeId} stakeId={stakeId} />}
            </Route>
            <Route path="/b/:businessId/members" component={MembersPage} />
            <Route path="/b/:businessId/audit" component={BusinessAuditPage} />
            <Route path="/b/:businessId/settings/api-keys" component={KeysPage} />
            <Route path="/b/:businessId/settings/api-keys/:keyId">
              {({ keyId }) => <KeyPage key={keyId} keyId={keyId} />}
            </Route>
            <Route path="/b/:businessId/settings/verification-keys" component={VerificationKeysPage} />
            <Route path="/b/:businessId/settings/webhooks" component={WebhooksPage} />
            <Route path="/b/:businessId/settings/webhooks/:endpointId">
              {({ endpointId }) => <EndpointPage key={endpointId} endpointId={endpointId} />}
            </Route>
            <Route path="/b/:businessId/settings/sending" component={SendingPage} />
            <Route path="/b/:businessId/settings/payments" component={PaymentSettingsPage} />
            <Route path="/b/:businessId/settings/payouts" component={PayoutSettingsPage} />
            <Route path="/b/:businessId/settings/business" component={BusinessPage} />
            <Route component={NotFoundPage} />
          </Switch>
        </LazyPages>
      </ZoneContext>
    </BusinessContext>
  )
}
