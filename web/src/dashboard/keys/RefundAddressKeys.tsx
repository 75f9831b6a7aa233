import { useNotify } from '../../ui/Notices.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { ApiKey } from '../types.ts'

/**
 * Keys that may name addresses of refunds until a date, without the permission: an owner has to decide.
 * Hidden if there are no such keys.
 */
export function RefundAddressKeys({ onDecided }: { onDecided: () => void }) {
  const api = useApi()
  const notify = useNotify()
  const { business, owns } = useBusiness()
  const path = { businessId: business.id }
  const found = useLoaded(`refund addresses ${business.id}`, (signal) =>
    api.call('listKeys', { path, query: { namesRefundAddresses: true }, signal }),
  )
  if (found.now.state !== 'ready' || found.now.value.keys.length === 0) return null
  async function decide(key: ApiKey, allowed: boolean): Promise<void> {
    await api.call('allowRefundAddresses', { path: { ...path, keyId: key.id }, body: { allowed } }).then(
      () =>
        notify(
          allowed ? `${key.name} may name addresses of refunds.` : `${key.name} refunds by a link only.`,
        ),
      () => notify(`Failed to save the decision for ${key.name}. Try again.`),
    )
    found.reload()
    onDecided()
  }
  return (
    <aside className="notice warn" aria-label="Keys that refund to any address">
      <p>
        To name the address of a refund, a key now needs the permission <code>refunds:address</code>. These
        keys are older, and may do so without it until their date. Then they refund by a link only.
      </p>
      <ul>
        {found.now.value.keys.map((key) => (
          <li key={key.id}>
            <span className="strong">{key.name}</span> <code>{key.prefix}…</code>, until{' '}
            {key.refundAddressUntil && <Time at={key.refundAddressUntil} />}{' '}
            {owns && (
              <>
                <button
                  type="button"
                  className="button"
                  aria-label={`Allow addresses of refunds for ${key.name}`}
                  onClick={() => void decide(key, true)}
                >
                  Allow
                </button>{' '}
                <button
                  type="button"
                  className="button"
                  aria-label={`Only links for ${key.name}`}
                  onClick={() => void decide(key, false)}
                >
                  Only links
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </aside>
  )
}
