import type { CollectionChannel, CollectionPartner } from '../partnerPayments/collectionPartner.ts'
import { PartnerError } from '../partnerPayments/partnerError.ts'
import { partnerUnavailable } from './partnerUnavailable.ts'

/**
 * Reads where money can be collected. @throws ApiError 503 `partner_unavailable` if there never was a list
 */
export type ReadChannels = () => Promise<readonly CollectionChannel[]>

const freshMs = 60_000
/** The pause after a failure. */
const retryMs = 5000

/**
 * The partner's channels: at most a minute old while it answers, otherwise the last good list of this
 * process.
 */
export function createChannelList(
  partner: Pick<CollectionPartner, 'channels'>,
  now: () => number = () => performance.now(),
): ReadChannels {
  let known: readonly CollectionChannel[] | null = null
  let oldAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null

  async function ask(): Promise<void> {
    try {
      known = await partner.channels()
      oldAt = now() + freshMs
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error
      if (known === null) throw partnerUnavailable(error)
      oldAt = now() + retryMs
    }
  }

  return async () => {
    if (now() > oldAt) {
      asking ??= ask().finally(() => {
        asking = null
      })
      await asking
    }
    return known ?? []
  }
}
