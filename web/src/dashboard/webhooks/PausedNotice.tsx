import type { ReactNode } from 'react'
import { Time } from '../../ui/Time.tsx'
import type { Endpoint } from './types.ts'

interface Props {
  endpoint: Endpoint
  develops: boolean
  /** Names the endpoint, if the page shows several. */
  children?: ReactNode
}

/**
 * Shows that Cowry paused an endpoint: since when, why, and how to continue. Hidden for an active endpoint,
 * or one that a member paused.
 */
export function PausedNotice({ endpoint, develops, children }: Props) {
  const { pausedReason, pausedAt, health } = endpoint
  if (!pausedAt || (pausedReason !== 'failing' && pausedReason !== 'gone')) return null
  return (
    <div className="notice danger" role="note">
      {children}
      <p>
        {pausedReason === 'gone' ? (
          <Gone at={pausedAt} />
        ) : (
          <Failing at={pausedAt} since={health.failingSince} />
        )}
      </p>
      {pausedReason === 'failing' && health.lastError && <p>The last error: {health.lastError}</p>}
      <p>
        {pausedReason === 'gone'
          ? 'No events are kept for it while it is gone. Resume it if the address takes webhooks again, or remove it.'
          : 'New events wait for it. Repair your server, then resume the endpoint.'}
        {!develops && ' An owner or a developer of the business can do this.'}
      </p>
    </div>
  )
}

function Gone({ at }: { at: string }) {
  return (
    <>
      Cowry paused this endpoint on <Time at={at} />: your server answered that the address is gone (410).
    </>
  )
}

function Failing({ at, since }: { at: string; since: string | null }) {
  return (
    <>
      Cowry paused this endpoint on <Time at={at} />: nothing could be delivered
      {since && (
        <>
          {' '}
          since <Time at={since} />
        </>
      )}
      .
    </>
  )
}
