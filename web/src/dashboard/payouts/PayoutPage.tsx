import { useState } from 'react'
import { Link } from 'wouter'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { Timeline } from '../../ui/Timeline.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { ApprovePayoutDialog } from './ApprovePayoutDialog.tsx'
import { CancelPayoutDialog } from './CancelPayoutDialog.tsx'
import { ConfirmPriceDialog } from './ConfirmPriceDialog.tsx'
import { MarkPaidDialog } from './MarkPaidDialog.tsx'
import { type PayoutAction, PayoutActions } from './PayoutActions.tsx'
import { PayoutFacts } from './PayoutFacts.tsx'
import { payoutsPath } from './paths.ts'
import { payoutTimeline } from './payoutTimeline.ts'

/** One payout: its amounts, what happened to it, and what can be done. */
export function PayoutPage({ payoutId }: { payoutId: string }) {
  const api = useApi()
  const { business } = useBusiness()
  const [open, setOpen] = useState<PayoutAction>()
  const path = { businessId: business.id, id: payoutId }
  const loaded = useLoaded(`${business.id} ${payoutId}`, (signal) =>
    api.call('getPayoutOfBusiness', { path, signal }),
  )
  const present = loaded.now.state === 'ready' ? loaded.now.value : undefined
  const dialog = present && {
    payout: present,
    onClose: () => setOpen(undefined),
    onDone: loaded.put,
    onOutdated: loaded.reload,
  }
  return (
    <Page
      title={present ? `Payout of ${present.amount} ${present.source.token}` : 'Payout'}
      tab={`Payout · ${business.name}`}
      lead={<Link href={payoutsPath(business.id)}>All payouts</Link>}
      actions={
        present && (
          <>
            <button type="button" className="button" onClick={loaded.reload}>
              Refresh
            </button>
            <PayoutActions payout={present} onChoose={setOpen} />
          </>
        )
      }
    >
      <Loaded of={loaded}>
        {(payout) => (
          <>
            <PayoutFacts payout={payout} />
            <Section title="What happened">
              <Timeline label="What happened" happenings={payoutTimeline(payout)} />
            </Section>
            {payout.metadata && (
              <Section title="Metadata">
                <pre className="block">{JSON.stringify(payout.metadata, null, 2)}</pre>
              </Section>
            )}
          </>
        )}
      </Loaded>
      {open === 'approve' && dialog && <ApprovePayoutDialog {...dialog} />}
      {open === 'cancel' && dialog && <CancelPayoutDialog {...dialog} />}
      {open === 'confirm' && dialog && <ConfirmPriceDialog {...dialog} />}
      {open === 'mark' && dialog && <MarkPaidDialog {...dialog} />}
    </Page>
  )
}
