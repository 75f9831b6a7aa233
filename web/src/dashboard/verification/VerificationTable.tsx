import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { verificationPath } from './paths.ts'
import type { Verification } from './types.ts'
import { verificationStatusLabels } from './verificationLabels.ts'

export function VerificationTable({ verifications }: { verifications: Verification[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Verifications"
      rows={verifications}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Request',
          cell: ({ id, requestId }) => (
            <>
              <Link className="strong" href={verificationPath(business.id, id)}>
                {requestId}
              </Link>
              <code className="fine">{id}</code>
            </>
          ),
        },
        {
          head: 'Document',
          cell: ({ country, idType }) => (
            <>
              {idType}
              <span className="fine">{country}</span>
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ status, reason, erasedAt }) => (
            <>
              <Badge tone={verificationStatusLabels[status].tone}>
                {verificationStatusLabels[status].label}
              </Badge>
              {reason && <span className="fine">{reason}</span>}
              {erasedAt && <span className="fine">Its personal data are erased</span>}
            </>
          ),
        },
        { head: 'Price', whole: true, cell: ({ price }) => <span className="amount">{`${price} USD`}</span> },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
