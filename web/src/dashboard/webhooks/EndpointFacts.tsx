import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import { EndpointBadge } from './EndpointTable.tsx'
import { deliveriesPath } from './paths.ts'
import type { Endpoint } from './types.ts'

type Fact = [name: string, value: ReactNode]

/** The details and the health of an endpoint. */
export function EndpointFacts({ endpoint, businessId }: { endpoint: Endpoint; businessId: string }) {
  const { description, eventTypes, health, pausedAt, previousSecretUntil, previousPublicKey } = endpoint
  const waiting = `${deliveriesPath(businessId)}?${new URLSearchParams({ endpointId: endpoint.id, status: 'pending' })}`
  const facts: Fact[] = [
    ['State', <EndpointBadge key="state" endpoint={endpoint} />],
    ...(description ? [['Description', description] satisfies Fact] : []),
    ['Takes', eventTypes ? <Types key="types" of={eventTypes} /> : 'Everything'],
    ...(endpoint.chains ? [['Networks', endpoint.chains.map(chainLabel).join(', ')] satisfies Fact] : []),
    ...(endpoint.tokens ? [['Tokens', endpoint.tokens.join(', ')] satisfies Fact] : []),
    ...(endpoint.referencePrefix
      ? [['Reference begins with', <code key="prefix">{endpoint.referencePrefix}</code>] satisfies Fact]
      : []),
    [
      'Signed',
      endpoint.signature === 'hmac' ? 'With a secret (HMAC, v1)' : <PublicKey key="signed" of={endpoint} />,
    ],
    ...at('Two signatures until', previousSecretUntil),
    ...(previousPublicKey
      ? [['Previous public key', <code key="previous">{previousPublicKey}</code>] satisfies Fact]
      : []),
    ...(endpoint.headerNames.length > 0
      ? [['Own headers', <Types key="headers" of={endpoint.headerNames} />] satisfies Fact]
      : []),
    ...(endpoint.maxPerSecond
      ? [['Requests per second', `${endpoint.maxPerSecond.toLocaleString()} at most`] satisfies Fact]
      : []),
    ...at('Paused', pausedAt),
    [
      'Waiting',
      health.waiting > 0 ? <Waiting key="waiting" to={waiting} count={health.waiting} /> : 'Nothing',
    ],
    [
      'Last delivered',
      health.lastDeliveredAt ? <Time key="delivered" at={health.lastDeliveredAt} /> : 'Never',
    ],
    ...at('Fails since', health.failingSince),
    ...at('Last failed', health.lastFailedAt),
    ...(health.lastError ? [['Last error', health.lastError] satisfies Fact] : []),
    ['Added', <Time key="added" at={endpoint.createdAt} />],
  ]
  return <Facts facts={facts} />
}

const at = (name: string, time: string | null): Fact[] =>
  time ? [[name, <Time key={name} at={time} />]] : []

const Waiting = ({ to, count }: { to: string; count: number }) => (
  <Link href={to}>{count.toLocaleString()}</Link>
)

function Types({ of }: { of: string[] }) {
  return (
    <ul className="lines">
      {of.map((type) => (
        <li key={type}>
          <code>{type}</code>
        </li>
      ))}
    </ul>
  )
}

function PublicKey({ of: { publicKey } }: { of: Endpoint }) {
  return (
    <div className="stack">
      <p>With a key pair (Ed25519, v1a). The public key:</p>
      <code>{publicKey}</code>
      <CopyButton text={publicKey ?? ''} label="Copy public key" />
    </div>
  )
}
