import { Facts } from '../../ui/Facts.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { PaymentSettings } from '../types.ts'
import { acceptedCells, acceptedOf } from './accepted.ts'

interface Props {
  settings: PaymentSettings
  onSaved: (settings: PaymentSettings) => void
}

/** Sites that the checkout page may lead back to: all members see them, an owner changes them. */
export function ReturnHostsSection({ settings, onSaved }: Props) {
  const api = useApi()
  const { business, owns } = useBusiness()
  const notify = useNotify()
  const { returnHosts } = settings
  async function send(data: FormData): Promise<void> {
    const hosts = textOf(data, 'returnHosts')
      .split(/[\s,]+/)
      .filter(Boolean)
    const body = {
      localCurrency: settings.localCurrency,
      accepted: settings.acceptsAll ? null : acceptedOf(settings.networks, acceptedCells(settings.networks)),
      returnHosts: hosts,
    }
    onSaved(await api.call('setPaymentSettings', { path: { businessId: business.id }, body }))
    notify('The sites are saved.')
  }
  return (
    <Section
      title="Back to your site"
      lead="A payment may carry a returnUrl: once it is paid, expired or cancelled, the checkout page links to it. It may lead to these sites alone, so that a stolen key cannot send your customers elsewhere."
    >
      {owns ? (
        <Form submit="Save sites" send={send}>
          <TextArea
            name="returnHosts"
            label="Sites"
            hint="A host in each line, as shop.example.com: without https:// and without a path. Sites below it count only if they are listed too."
            autoComplete="off"
            spellCheck={false}
            defaultValue={returnHosts.join('\n')}
          />
        </Form>
      ) : (
        <Facts facts={[['Sites', returnHosts.length > 0 ? returnHosts.join(', ') : 'None']]} />
      )}
    </Section>
  )
}
