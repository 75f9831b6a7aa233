import { lazyPage } from '../../ui/LazyPage.tsx'

// The pages of a business, each loaded when it is first shown.

export const ApprovalsPage = lazyPage(
  async () => (await import('../sending/ApprovalsPage.tsx')).ApprovalsPage,
)
export const BalancesPage = lazyPage(async () => (await import('../books/BalancesPage.tsx')).BalancesPage)
export const BridgePage = lazyPage(async () => (await import('../bridge/BridgePage.tsx')).BridgePage)
export const BridgesPage = lazyPage(async () => (await import('../bridge/BridgesPage.tsx')).BridgesPage)
export const BusinessAuditPage = lazyPage(
  async () => (await import('../audit/BusinessAuditPage.tsx')).BusinessAuditPage,
)
export const BusinessPage = lazyPage(async () => (await import('./BusinessPage.tsx')).BusinessPage)
export const CollectionPage = lazyPage(
  async () => (await import('../collections/CollectionPage.tsx')).CollectionPage,
)
export const CollectionsPage = lazyPage(
  async () => (await import('../collections/CollectionsPage.tsx')).CollectionsPage,
)
export const CreditPage = lazyPage(async () => (await import('../verification/CreditPage.tsx')).CreditPage)
export const DeliveriesPage = lazyPage(
  async () => (await import('../webhooks/DeliveriesPage.tsx')).DeliveriesPage,
)
export const DeliveryPage = lazyPage(async () => (await import('../webhooks/DeliveryPage.tsx')).DeliveryPage)
export const DestinationsPage = lazyPage(
  async () => (await import('../payouts/DestinationsPage.tsx')).DestinationsPage,
)
export const EndpointPage = lazyPage(async () => (await import('../webhooks/EndpointPage.tsx')).EndpointPage)
export const EntriesPage = lazyPage(async () => (await import('../books/EntriesPage.tsx')).EntriesPage)
export const KeyPage = lazyPage(async () => (await import('../keys/KeyPage.tsx')).KeyPage)
export const KeysPage = lazyPage(async () => (await import('../keys/KeysPage.tsx')).KeysPage)
export const MembersPage = lazyPage(async () => (await import('./MembersPage.tsx')).MembersPage)
export const MonitoringPage = lazyPage(
  async () => (await import('../monitoring/MonitoringPage.tsx')).MonitoringPage,
)
export const NewCollectionPage = lazyPage(
  async () => (await import('../collections/NewCollectionPage.tsx')).NewCollectionPage,
)
export const OverviewPage = lazyPage(async () => (await import('../overview/OverviewPage.tsx')).OverviewPage)
export const PaymentSettingsPage = lazyPage(
  async () => (await import('../payments/PaymentSettingsPage.tsx')).PaymentSettingsPage,
)
export const PayoutPage = lazyPage(async () => (await import('../payouts/PayoutPage.tsx')).PayoutPage)
export const PayManyPage = lazyPage(
  async () => (await import('../payouts/batches/PayManyPage.tsx')).PayManyPage,
)
export const PayoutBatchPage = lazyPage(
  async () => (await import('../payouts/batches/BatchPage.tsx')).BatchPage,
)
export const PayoutBatchesPage = lazyPage(
  async () => (await import('../payouts/batches/BatchesPage.tsx')).BatchesPage,
)
export const PayoutSettingsPage = lazyPage(
  async () => (await import('../payouts/PayoutSettingsPage.tsx')).PayoutSettingsPage,
)
export const PayoutsPage = lazyPage(async () => (await import('../payouts/PayoutsPage.tsx')).PayoutsPage)
export const SendingPage = lazyPage(async () => (await import('../sending/SendingPage.tsx')).SendingPage)
export const SessionPage = lazyPage(async () => (await import('../posSessions/SessionPage.tsx')).SessionPage)
export const SessionsPage = lazyPage(
  async () => (await import('../posSessions/SessionsPage.tsx')).SessionsPage,
)
export const StakePage = lazyPage(async () => (await import('../staking/StakePage.tsx')).StakePage)
export const StakesPage = lazyPage(async () => (await import('../staking/StakesPage.tsx')).StakesPage)
export const StatementPage = lazyPage(async () => (await import('../books/StatementPage.tsx')).StatementPage)
export const SwapPage = lazyPage(async () => (await import('../swaps/SwapPage.tsx')).SwapPage)
export const SwapsPage = lazyPage(async () => (await import('../swaps/SwapsPage.tsx')).SwapsPage)
export const SweepsPage = lazyPage(async () => (await import('../books/SweepsPage.tsx')).SweepsPage)
export const VerificationKeysPage = lazyPage(
  async () => (await import('../verification/VerificationKeysPage.tsx')).VerificationKeysPage,
)
export const VerificationPage = lazyPage(
  async () => (await import('../verification/VerificationPage.tsx')).VerificationPage,
)
export const VerificationsPage = lazyPage(
  async () => (await import('../verification/VerificationsPage.tsx')).VerificationsPage,
)
export const WebhooksPage = lazyPage(async () => (await import('../webhooks/WebhooksPage.tsx')).WebhooksPage)
export const EventPage = lazyPage(async () => (await import('../events/EventPage.tsx')).EventPage)
export const EventsPage = lazyPage(async () => (await import('../events/EventsPage.tsx')).EventsPage)
export const FindPaymentPage = lazyPage(
  async () => (await import('../posSessions/FindPaymentPage.tsx')).FindPaymentPage,
)
export const PaymentLinksPage = lazyPage(
  async () => (await import('../paymentLinks/PaymentLinksPage.tsx')).PaymentLinksPage,
)
export const NewPaymentLinkPage = lazyPage(
  async () => (await import('../paymentLinks/NewPaymentLinkPage.tsx')).NewPaymentLinkPage,
)
export const PaymentLinkPage = lazyPage(
  async () => (await import('../paymentLinks/PaymentLinkPage.tsx')).PaymentLinkPage,
)
export const NewPaymentPage = lazyPage(
  async () => (await import('../posSessions/NewPaymentPage.tsx')).NewPaymentPage,
)
export const TransferPage = lazyPage(async () => (await import('../transfers/TransferPage.tsx')).TransferPage)
export const TransfersPage = lazyPage(
  async () => (await import('../transfers/TransfersPage.tsx')).TransfersPage,
)
export const WalletPage = lazyPage(async () => (await import('../wallets/WalletPage.tsx')).WalletPage)
export const WalletsPage = lazyPage(async () => (await import('../wallets/WalletsPage.tsx')).WalletsPage)
