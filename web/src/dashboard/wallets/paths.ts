import { businessPath } from '../shell/navigation.ts'

export const walletsPath = (businessId: string): string => `${businessPath(businessId)}/wallets`
export const walletPath = (businessId: string, walletId: string): string =>
  `${walletsPath(businessId)}/${encodeURIComponent(walletId)}`
