import type { partnerPaymentSettings } from '../../partnerPayments/settings.ts'
import type { SettingValues } from '../../platform/settings.ts'
import type { partnerSettings } from '../../pricing/settings.ts'
import type { YellowCardAccount } from './account.ts'

type Values = SettingValues<typeof partnerSettings> & SettingValues<typeof partnerPaymentSettings>

/** The account that a process is configured with; null: there is no payout partner. */
export const yellowCardFrom = (values: Values): YellowCardAccount | null =>
  values.YELLOWCARD_API_KEY && values.YELLOWCARD_SECRET_KEY
    ? {
        url: values.YELLOWCARD_URL,
        apiKey: values.YELLOWCARD_API_KEY,
        secretKey: values.YELLOWCARD_SECRET_KEY,
        names: values.YELLOWCARD_API,
        signedPath: values.YELLOWCARD_SIGNED_PATH,
      }
    : null
