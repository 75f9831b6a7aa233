import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../../ui/Badge.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Time } from '../../../ui/Time.tsx'
import { partnerName } from '../partnerLabels.ts'
import { agoText } from './healthLabels.ts'
import type { Health } from './types.ts'

type Fact = [name: string, value: ReactNode]

const since = (at: string, now: string): ReactNode => (
  <time dateTime={at} title={at}>
    {agoText(at, now)}
  </time>
)

export const backupFacts = (
  { archivedAt, checkedUpTo }: NonNullable<Health['backups']>,
  now: string,
): Fact[] => [
  [
    'Log archived',
    archivedAt
      ? since(archivedAt, now)
      : 'This server archives none itself: its service does, or nothing does.',
  ],
  [
    'Restored and found sound',
    checkedUpTo ? (
      <span key="checked">
        The state of <Time at={checkedUpTo} />
      </span>
    ) : (
      'Never'
    ),
  ],
]

export const databaseFacts = (
  version: string,
  { migration, isRestored, close }: NonNullable<Health['database']>,
  now: string,
): Fact[] => [
  ['Cowry', version],
  ['Last migration', migration ? <code key="migration">{migration}</code> : 'None'],
  ...(isRestored
    ? ([
        [
          'Database',
          <Badge key="restored" tone="bad">
            {'Restored: nothing is sent'}
          </Badge>,
        ],
      ] satisfies Fact[])
    : []),
  [
    'Books closed',
    close ? (
      <span key="close">
        {since(close.at, now)},{' '}
        <Link href="/platform/closes">
          {close.drifts === 0 ? 'they agree' : `${close.drifts} differences`}
        </Link>
      </span>
    ) : (
      'Never'
    ),
  ],
]

export function PartnersPart({ partners, at }: { partners: NonNullable<Health['partners']>; at: string }) {
  if (partners.length === 0) return <p>There is none: payouts go to wallets only.</p>
  return (
    <Facts
      facts={partners.map(
        ({ name, pause, unknown, readAt, comparison }): Fact => [
          partnerName({ name }),
          <span key={name}>
            <Badge tone={pause ? 'wait' : 'good'}>{pause ? 'Paused' : 'In use'}</Badge>{' '}
            {unknown > 0 && <Badge tone="bad">{`${unknown} not known`}</Badge>}
            <span className="fine">
              {pause ? `${pause.by}: ${pause.reason}` : null}
              {readAt ? <> Balance read {since(readAt, at)}.</> : ' Its balance was not read yet.'}
              {comparison && (
                <>
                  {' '}
                  Compared {since(comparison.at, at)},{' '}
                  {comparison.unmatched === 0 ? 'all match.' : `${comparison.unmatched} without a match.`}
                </>
              )}
            </span>
          </span>,
        ],
      )}
    />
  )
}
