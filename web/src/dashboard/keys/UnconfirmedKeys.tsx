import { useNotify } from '../../ui/Notices.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { ApiKey } from '../types.ts'

/**
 * Keys that sent from stored wallets before that needed a permission: an owner has to decide. Hidden if there
 * are no such keys.
 */
export function UnconfirmedKeys({ onDecided }: { onDecided: () => void }) {
  const api = useApi()
  const notify = useNotify()
  const { business, owns } = useBusiness()
  const path = { businessId: business.id }
  const found = useLoaded(`unconfirmed ${business.id}`, (signal) =>
    api.call('listKeys', { path, query: { unconfirmed: true }, signal }),
  )
  if (found.now.state !== 'ready' || found.now.value.keys.length === 0) return null
  async function decide(key: ApiKey, allowed: boolean): Promise<void> {
    await api.call('allowWalletSends', { path: { ...path, keyId: key.id }, body: { allowed } }).then(
      () =>
        notify(
          allowed
            ? `${key.name} sends from stored wallets again.`
            : `${key.name} does not send from stored wallets.`,
        ),
      () => notify(`Failed to save the decision for ${key.name}. Try again.`),
    )
    found.reload()
    onDecided()
  }
  return (
    <aside className="notice warn" aria-label="Keys that wait for confirmation">
      <p>
        To send from a stored wallet, a key now needs the permission <code>wallets:send</code>. These keys did
        so without it, and are refused until an owner decides.
      </p>
      <ul>
        {found.now.value.keys.map((key) => (
          <li key={key.id}>
            <span className="strong">{key.name}</span> <code>{key.prefix}…</code>, last sent{' '}
            {key.sentFromWalletsAt && <Time at={key.sentFromWalletsAt} />}{' '}
            {owns && (
              <>
                <button
                  type="button"
                  className="button"
                  aria-label={`Allow ${key.name}`}
                  onClick={() => void decide(key, true)}
                >
                  Allow
                </button>{' '}
                <button
                  type="button"
                  className="button"
                  aria-label={`Refuse ${key.name}`}
                  onClick={() => void decide(key, false)}
                >
                  Refuse
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </aside>
  )
}
