import { Link } from 'wouter'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { businessPath } from '../shell/navigation.ts'
import type { Transfer } from './types.ts'

/** Where a transfer waits for a second owner: until when, and where it is approved. */
export function ApprovalLine({ transfer: { approval, status } }: { transfer: Transfer }) {
  const { business } = useBusiness()
  if (status !== 'pending' || approval?.state !== 'waiting') return null
  return (
    <aside className="notice" aria-label="Approval">
      <p>
        It is above the limit of the wallet or key, so a second owner has to approve it by{' '}
        <Time at={approval.expiresAt} /> under{' '}
        <Link href={`${businessPath(business.id)}/approvals`}>Approvals</Link>.
      </p>
    </aside>
  )
}
