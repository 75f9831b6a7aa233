import type { SettingValues } from '../platform/settings.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { SwapProviders } from '../swaps/provider.ts'
import type { swapSettings } from '../swaps/settings.ts'
import { createSwapMetrics } from '../swaps/swapMetrics.ts'
import { createJupiter } from './jupiter/client.ts'
import { createZeroX } from './zerox/client.ts'

type Values = SettingValues<typeof swapSettings>

/** The swap providers that a process is configured with. */
export function swapProvidersFrom(values: Values, metrics: Metrics): SwapProviders {
  const { ZEROX_API_KEY: zeroXKey, JUPITER_API_KEY: jupiterKey } = values
  const zeroX = zeroXKey && {
    url: values.ZEROX_URL,
    apiKey: zeroXKey,
    perSecond: values.ZEROX_REQUESTS_PER_SECOND,
  }
  const jupiter = jupiterKey && {
    url: values.JUPITER_URL,
    apiKey: jupiterKey,
    perSecond: values.JUPITER_REQUESTS_PER_SECOND,
  }
  return {
    evm: zeroX ? createZeroX(zeroX) : null,
    solana: jupiter ? createJupiter(jupiter) : null,
    observe: createSwapMetrics(metrics, [
      ...(zeroX ? ['0x' as const] : []),
      ...(jupiter ? ['jupiter' as const] : []),
    ]),
  }
}
