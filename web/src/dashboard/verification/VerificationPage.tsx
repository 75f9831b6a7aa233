import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { businessPath } from '../shell/navigation.ts'
import { verificationsPath } from './paths.ts'
import type { Verification } from './types.ts'
import { verificationStatusLabels } from './verificationLabels.ts'

/** One verification, without personal data: its outcome, its price and its webhooks. */
export function VerificationPage({ verificationId }: { verificationId: string }) {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id, id: verificationId }
  const loaded = useLoaded(`${business.id} ${verificationId}`, (signal) =>
    api.call('getVerificationOfBusiness', { path, signal }),
  )
  const isOpen = loaded.now.state === 'ready' && loaded.now.value.completedAt === null
  return (
    <Page
      title="Verification"
      tab={`Verification · ${business.name}`}
      lead={<Link href={verificationsPath(business.id)}>All verifications</Link>}
      actions={
        isOpen && (
          <button type="button" className="button" onClick={() => void loaded.reload()}>
            Refresh
          </button>
        )
      }
    >
      <Loaded of={loaded}>
        {(verification) => (
          <VerificationFacts verification={verification} webhooks={`${businessPath(business.id)}/webhooks`} />
        )}
      </Loaded>
    </Page>
  )
}

type Fact = [name: string, value: ReactNode]

function VerificationFacts({ verification, webhooks }: { verification: Verification; webhooks: string }) {
  const {
    id,
    requestId,
    status,
    reason,
    reasonCode,
    country,
    idType,
    price,
    createdAt,
    completedAt,
    erasedAt,
  } = verification
  const { label, tone, charge } = verificationStatusLabels[status]
  const type = `verification.${status}`
  const ended: Fact[] =
    completedAt === null
      ? []
      : [
          ['Ended', <Time key="ended" at={completedAt} />],
          [
            'Webhooks',
            <Link key="webhooks" href={`${webhooks}?type=${type}`}>
              {type}
            </Link>,
          ],
        ]
  const facts: Fact[] = [
    [
      'State',
      <Badge key="state" tone={tone}>
        {label}
      </Badge>,
    ],
    ...(reason ? ([['Reason', `${reason} (${reasonCode})`]] satisfies Fact[]) : []),
    ['Request', requestId],
    ['Document', idType],
    ['Country', country],
    ['Price', `${price} USD, ${charge}`],
    ['Created', <Time key="created" at={createdAt} />],
    ...ended,
    erasedAt === null
      ? ['Personal data', 'Read with a secret key alone']
      : ['Data erased', <Time key="erased" at={erasedAt} />],
    ['Id', <code key="id">{id}</code>],
  ]
  return <Facts facts={facts} />
}
