import { lazyPage } from '../../ui/LazyPage.tsx'

// The pages of the platform, each loaded when it is first shown.

export const AdjustmentsPage = lazyPage(async () => (await import('./AdjustmentsPage.tsx')).AdjustmentsPage)
export const ClosesPage = lazyPage(async () => (await import('./ClosesPage.tsx')).ClosesPage)
export const FloatPage = lazyPage(async () => (await import('./FloatPage.tsx')).FloatPage)
export const HealthPage = lazyPage(async () => (await import('./health/HealthPage.tsx')).HealthPage)
export const OperatedBusinessPage = lazyPage(
  async () => (await import('./OperatedBusinessPage.tsx')).OperatedBusinessPage,
)
export const OperatedBusinessesPage = lazyPage(
  async () => (await import('./OperatedBusinessesPage.tsx')).OperatedBusinessesPage,
)
export const PartnersPage = lazyPage(async () => (await import('./PartnersPage.tsx')).PartnersPage)
export const PlansPage = lazyPage(async () => (await import('./PlansPage.tsx')).PlansPage)
export const PlatformAuditPage = lazyPage(
  async () => (await import('./PlatformAuditPage.tsx')).PlatformAuditPage,
)
export const SuspensePage = lazyPage(async () => (await import('./SuspensePage.tsx')).SuspensePage)
export const VerificationPricesPage = lazyPage(
  async () => (await import('./VerificationPricesPage.tsx')).VerificationPricesPage,
)
