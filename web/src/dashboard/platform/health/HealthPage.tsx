import { useEffect } from 'react'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Section } from '../../../ui/Section.tsx'
import { useLoaded } from '../../../ui/useLoaded.ts'
import { useApi } from '../../session/session.ts'
import { ChainTable } from './ChainTable.tsx'
import { DeadJobsSection } from './DeadJobsSection.tsx'
import { NoAnswer } from './NoAnswer.tsx'
import { ProblemsSection } from './ProblemsSection.tsx'
import { QueuesSection } from './QueuesSection.tsx'
import { backupFacts, databaseFacts, PartnersPart } from './smallParts.tsx'
import type { Health } from './types.ts'

const everyMs = 15_000

/** What works and what does not, for operators of the platform. It loads again by itself. */
export function HealthPage() {
  const api = useApi()
  const health = useLoaded('', (signal) => api.call('getHealth', { signal }))
  const { reload } = health
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, everyMs)
    return () => clearInterval(timer)
  }, [reload])
  return (
    <Page
      title="Health"
      lead="Chains, queues and everything else that must work, as indexers and workers report it."
      actions={
        <button type="button" className="button" onClick={reload}>
          Refresh
        </button>
      }
    >
      <Loaded of={health}>{(value) => <Parts health={value} onReplayed={reload} />}</Loaded>
    </Page>
  )
}

function Parts({ health, onReplayed }: { health: Health; onReplayed: () => void }) {
  const { chains, queues, backups, database, partners, at } = health
  const dead = (queues?.queues ?? []).flatMap(({ queue, dead: n }) => (n > 0 ? [{ queue, dead: n }] : []))
  return (
    <>
      <ProblemsSection health={health} />
      <Section title="Chains">{chains ? <ChainTable chains={chains} at={at} /> : <NoAnswer />}</Section>
      <QueuesSection health={health} />
      <DeadJobsSection counts={dead} onReplayed={onReplayed} />
      <Section title="Payout partners">
        {partners ? <PartnersPart partners={partners} at={at} /> : <NoAnswer />}
      </Section>
      <Section title="Backups">{backups ? <Facts facts={backupFacts(backups, at)} /> : <NoAnswer />}</Section>
      <Section title="Version">
        {database ? <Facts facts={databaseFacts(health.version, database, at)} /> : <NoAnswer />}
      </Section>
    </>
  )
}
