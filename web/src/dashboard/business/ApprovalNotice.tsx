import type { Business } from '../types.ts'

/** Explains above every page why a business may not be used yet, or any more. */
export function ApprovalNotice({ business }: { business: Business }) {
  if (business.approval === 'approved') return null
  const suspended = business.approval === 'suspended'
  return (
    <aside className={suspended ? 'notice danger' : 'notice warn'} aria-label="State of this business">
      <p>
        {suspended
          ? 'This business is suspended. Its API keys and access tokens are refused, and you can see everything here but change nothing. Transfers that were not sent yet are held. Contact the operator of this platform.'
          : 'This business waits for approval. You can set everything up now; in production it can take payments, and its keys work, once it is approved.'}
      </p>
      {business.approvalReason && <p>Reason given: {business.approvalReason}</p>}
    </aside>
  )
}
