import { Time } from '../../ui/Time.tsx'
import type { ApiKey } from '../types.ts'

/** When and from where a key was last used. */
export function LastUse({ apiKey: { lastUsedAt, lastUsedAddress } }: { apiKey: ApiKey }) {
  if (!lastUsedAt) return 'Never'
  return (
    <>
      <Time at={lastUsedAt} />
      {lastUsedAddress && <span className="fine">from {lastUsedAddress}</span>}
    </>
  )
}
