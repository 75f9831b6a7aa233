import { Facts } from '../../ui/Facts.tsx'
import { Section } from '../../ui/Section.tsx'
import { useBusiness } from '../business/business.ts'
import { FeesForm } from '../platform/FeesForm.tsx'
import { useMe } from '../session/session.ts'
import type { PaymentSettings } from '../types.ts'

/** Fee and margin: all members see them, operators of the platform change them. */
export function FeesSection({ settings, onSaved }: { settings: PaymentSettings; onSaved: () => void }) {
  const { account } = useMe()
  const { business } = useBusiness()
  return (
    <Section
      title="Fee and margin"
      lead={
        account.operator
          ? 'You operate this platform, so you can change them.'
          : 'Set by the operator of this platform.'
      }
    >
      <Facts
        facts={[
          ['Fee', `${settings.feePercent} %, off the payout`],
          ['Exchange margin', `${settings.fxMarginPercent} %, in the rate that your customer sees`],
        ]}
      />
      {account.operator && <FeesForm businessId={business.id} fees={settings} onSaved={onSaved} />}
    </Section>
  )
}
