import { useState } from 'react'
import { Link } from 'wouter'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Page } from '../../ui/Page.tsx'
import { plainError } from '../../ui/plainError.ts'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { DisableLinkDialog } from './DisableLinkDialog.tsx'
import { LinkDetails } from './LinkDetails.tsx'
import { LinkSessions } from './LinkSessions.tsx'
import { paymentLinksPath } from './paths.ts'
import { RenameLinkDialog } from './RenameLinkDialog.tsx'

/** One payment link: its code and address, what it asks for, and the payments that it made. */
export function PaymentLinkPage({ linkId }: { linkId: string }) {
  const api = useApi()
  const notify = useNotify()
  const { business, develops } = useBusiness()
  const [open, setOpen] = useState<'disable' | 'rename'>()
  const loaded = useLoaded(`${business.id} ${linkId}`, (signal) =>
    api.call('getPaymentLinkOfBusiness', { path: { businessId: business.id, id: linkId }, signal }),
  )
  const link = loaded.now.state === 'ready' ? loaded.now.value : undefined
  async function enable(): Promise<void> {
    try {
      await api.call('changePaymentLinkOfBusiness', {
        path: { businessId: business.id, id: linkId },
        body: { disabled: false },
      })
      notify('The payment link is on again.')
    } catch (error) {
      notify(plainError(error).message)
    }
    loaded.reload()
  }
  return (
    <Page
      title={link?.label ?? 'Payment link'}
      tab={`Payment link · ${business.name}`}
      lead={<Link href={paymentLinksPath(business.id)}>All payment links</Link>}
      actions={
        develops &&
        link && (
          <>
            <button type="button" className="button" onClick={() => setOpen('rename')}>
              Change label
            </button>
            {link.disabledAt === null ? (
              <button type="button" className="button danger" onClick={() => setOpen('disable')}>
                Switch off
              </button>
            ) : (
              <button type="button" className="button" onClick={() => void enable()}>
                Switch on
              </button>
            )}
          </>
        )
      }
    >
      <Loaded of={loaded}>{(value) => <LinkDetails link={value} />}</Loaded>
      {link && <LinkSessions linkId={link.id} />}
      {open === 'disable' && (
        <DisableLinkDialog linkId={linkId} onClose={() => setOpen(undefined)} onDone={loaded.reload} />
      )}
      {open === 'rename' && link && (
        <RenameLinkDialog link={link} onClose={() => setOpen(undefined)} onDone={loaded.reload} />
      )}
    </Page>
  )
}
