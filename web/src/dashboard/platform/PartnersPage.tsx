import { useState } from 'react'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useApi } from '../session/session.ts'
import { PartnerFacts } from './PartnerFacts.tsx'
import { PausePartnerDialog } from './PausePartnerDialog.tsx'
import { type PayoutPartner, partnerName } from './partnerLabels.ts'
import { ResumePartnerDialog } from './ResumePartnerDialog.tsx'

/** Payout partners: balances, what is under way, and pauses. */
export function PartnersPage() {
  const api = useApi()
  const [open, setOpen] = useState<{ what: 'pause' | 'resume'; partner: PayoutPartner }>()
  const close = () => setOpen(undefined)
  const partners = useLoaded('', (signal) => api.call('listPayoutPartners', { signal }))
  return (
    <Page
      title="Payout partners"
      lead="Companies that pay to bank accounts: what the platform has there, and whether payouts go through them."
    >
      <Loaded of={partners}>
        {({ partners: all }) =>
          all.length === 0 ? (
            <Empty title="There is no payout partner.">
              <p>Payouts go to wallets only. Set YELLOWCARD_API_KEY to use Yellow Card.</p>
            </Empty>
          ) : (
            all.map((partner) => (
              <Section key={partner.name} title={partnerName(partner)}>
                <PartnerFacts partner={partner} />
                <button
                  type="button"
                  className={partner.pause ? 'button' : 'button danger'}
                  aria-label={`${partner.pause ? 'Resume' : 'Pause'} ${partnerName(partner)}`}
                  onClick={() => setOpen({ what: partner.pause ? 'resume' : 'pause', partner })}
                >
                  {partner.pause ? 'Resume' : 'Pause'}
                </button>
              </Section>
            ))
          )
        }
      </Loaded>
      {open?.what === 'pause' && (
        <PausePartnerDialog partner={open.partner} onClose={close} onChanged={partners.reload} />
      )}
      {open?.what === 'resume' && (
        <ResumePartnerDialog partner={open.partner} onClose={close} onChanged={partners.reload} />
      )}
    </Page>
  )
}
