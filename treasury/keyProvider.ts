import { envKeyProvider, type KeyProvider, keyRing } from '../src/custody/keyProvider.ts'
import type { keyProviderSettings } from '../src/custody/settings.ts'
import { awsKmsProvider } from '../src/partners/awsKms/keyProvider.ts'
import type { SettingValues } from '../src/platform/settings.ts'

/**
 * The configured key provider. Further keys of the configuration unwrap what is not rolled yet
 * (`npm run cowry -- custody roll-seed-key`).
 */
export function keyProviderOf(values: SettingValues<typeof keyProviderSettings>): KeyProvider {
  const kms = (keyArn: string) =>
    awsKmsProvider({ keyArn, endpoint: values.AWS_ENDPOINT_URL_KMS, timeoutMs: values.KMS_TIMEOUT_MS })
  const ofEnv = [values.SEED_KEY, values.SEED_KEY_PREVIOUS].flatMap((key) =>
    key ? [envKeyProvider(key)] : [],
  )
  const ofKms = [values.KMS_KEY_ARN, values.KMS_KEY_ARN_PREVIOUS].flatMap((arn) => (arn ? [kms(arn)] : []))
  const [first, ...others] = values.SEED_KEY_PROVIDER === 'env' ? [...ofEnv, ...ofKms] : [...ofKms, ...ofEnv]
  if (!first) throw new Error(`${values.SEED_KEY_PROVIDER} has no key`)
  return keyRing([first, ...others])
}
