import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { sessionPath } from '../posSessions/paths.ts'
import { exceptionLabels } from '../posSessions/sessionLabels.ts'
import { businessPath } from '../shell/navigation.ts'
import { endpointPath } from '../webhooks/paths.ts'
import type { Needs } from './types.ts'

/** What waits for a person, or does not work; nothing where all is well. */
export function NeedsSection({ needs }: { needs: Needs }) {
  const lines = useLines(needs)
  if (lines.length === 0) return null
  return (
    <Section title="Needs you">
      <ul className="needs">
        {lines.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </Section>
  )
}

interface Line {
  key: string
  text: ReactNode
}

function useLines({ decisions, approvals, failingEndpoints, delayedChains, lowGas }: Needs): Line[] {
  const { business } = useBusiness()
  const at = businessPath(business.id)
  const more = decisions.count - decisions.newest.length
  return [
    ...decisions.newest.map(({ id, reference, chain, token, amountReceived, exception }) => ({
      key: id,
      text: (
        <>
          <Link href={sessionPath(business.id, id)}>{reference ?? `${amountReceived} ${token}`}</Link>
          {`: ${exceptionLabels[exception].toLowerCase()}, ${amountReceived} ${token} on ${chainLabel(chain)}. Decide what happens with it.`}
        </>
      ),
    })),
    ...(more > 0
      ? [
          {
            key: 'decisions',
            text: `${decisions.isMore ? 'More than ' : ''}${more} more ${more === 1 ? 'payment needs' : 'payments need'} a decision.`,
          },
        ]
      : []),
    ...(approvals > 0
      ? [
          {
            key: 'approvals',
            text: (
              <>
                <Link href={`${at}/approvals`}>
                  {approvals === 1 ? '1 approval' : `${approvals} approvals`}
                </Link>
                {approvals === 1 ? ' waits for an owner.' : ' wait for an owner.'}
              </>
            ),
          },
        ]
      : []),
    ...failingEndpoints.map(({ id, url, status }) => ({
      key: id,
      text: (
        <>
          <Link href={endpointPath(business.id, id)}>{hostOf(url)}</Link>
          {status === 'paused' ? ' was paused, because it took no webhooks.' : ' does not take its webhooks.'}
        </>
      ),
    })),
    ...delayedChains.map(({ chain, since }) => ({
      key: chain,
      text: (
        <>
          {`${chainLabel(chain)} is behind: payments since `}
          <Time at={since} />
          {' are not seen yet.'}
        </>
      ),
    })),
    ...(lowGas ?? []).map(({ chain, symbol, balance, lowWater }) => ({
      key: `gas ${chain}`,
      text: (
        <>
          <Link href="/platform/float">The treasury</Link>
          {` has ${balance} ${symbol} on ${chainLabel(chain)}, less than ${lowWater}: fill it up.`}
        </>
      ),
    })),
  ]
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
