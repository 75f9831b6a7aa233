import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Verification } from './types.ts'
import { verificationStatusWords } from './verificationWords.ts'

export function VerificationTable({ verifications }: { verifications: Verification[] }) {
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
              <span className="strong">{requestId}</span>
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
              <Badge tone={verificationStatusWords[status].tone}>{verificationStatusWords[status].label}</Badge>
              {reason && <span className="fine">{reason}</span>}
              {erasedAt && <span className="fine">Its personal data are erased</span>}
            </>
          ),
        },
        { head: 'Price', cell: ({ price }) => <span className="amount">{`${price} USD`}</span> },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
