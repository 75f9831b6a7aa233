import { type Attestations, AttestationsError } from '../../bridge/attestations.ts'
import type { bridgeSettings } from '../../bridge/settings.ts'
import { ConfigError } from '../../platform/config.ts'
import type { SettingValues } from '../../platform/settings.ts'
import { readFees } from './readFees.ts'
import { readMessages } from './readMessages.ts'
import { type CircleService, request } from './request.ts'

/** Circle's attestation service (iris), version 2: fees, messages and their signatures. It needs no key. */
export const createCircle = (service: CircleService): Attestations => ({
  perSecond: service.perSecond,
  fees: (...route) => readFees(service, ...route),
  messages: (...burn) => readMessages(service, ...burn),
  async reattest(nonce) {
    const { status } = await request(service, 'POST', `/v2/reattest/${nonce}`)
    if (status === 404) throw new AttestationsError('malformed', 'It does not know the message')
  },
})

const hosts = { live: 'https://iris-api.circle.com', test: 'https://iris-api-sandbox.circle.com' }

/**
 * @param environment `test`: a deployment of test networks, which Circle signs for elsewhere
 * @throws ConfigError for an address that others could answer for
 */
export function circleFrom(
  values: SettingValues<typeof bridgeSettings>,
  environment: 'test' | 'live',
): Attestations {
  const url = values.CIRCLE_URL ?? hosts[environment]
  const isSafe = url.startsWith('https:') || ['127.0.0.1', 'localhost'].includes(new URL(url).hostname)
  if (environment === 'live' && !isSafe)
    throw new ConfigError('CIRCLE_URL must be https in a live deployment')
  return createCircle({ url, perSecond: values.CIRCLE_REQUESTS_PER_SECOND })
}
