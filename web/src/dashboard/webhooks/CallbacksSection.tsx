import { useState } from 'react'
import type { DashboardAnswerOf } from '../../../../client/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Section } from '../../ui/Section.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'

type Callbacks = DashboardAnswerOf<'getWebhookCallbacksOfBusiness'>
type Open = { what: 'rotate' } | { what: 'secret'; secret: string }

/** Hosts that the events of a single payment may go to, and their secret. */
export function CallbacksSection() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const notify = useNotify()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const path = { businessId: business.id }
  const loaded = useLoaded(business.id, (signal) =>
    api.call('getWebhookCallbacksOfBusiness', { path, signal }),
  )
  async function send(data: FormData): Promise<void> {
    const hosts = textOf(data, 'hosts')
      .split(/[\s,]+/)
      .filter(Boolean)
    const { secret, ...callbacks } = await api.call('setWebhookCallbacksOfBusiness', {
      path,
      body: { hosts },
    })
    loaded.put(callbacks)
    notify('The callback hosts are saved.')
    if (secret !== null) setOpen({ what: 'secret', secret })
  }
  async function rotate(): Promise<void> {
    const { secret, ...callbacks } = await api.call('rotateCallbackSecretOfBusiness', { path, body: {} })
    loaded.put(callbacks)
    setOpen(secret === null ? undefined : { what: 'secret', secret })
  }
  return (
    <Section
      title="Callbacks of single payments"
      lead="A payment may carry a webhookUrl: its events go there too, signed with the secret of callbacks. It may lead to these hosts alone, so that a stolen key cannot send your events elsewhere."
    >
      <Loaded of={loaded}>
        {(callbacks) => (
          <>
            {develops ? (
              <Form submit="Save hosts" send={send}>
                <TextArea
                  name="hosts"
                  label="Hosts"
                  hint="A host in each line, as shop.example.com: without https:// and without a path. Hosts below it count only if they are listed too."
                  autoComplete="off"
                  spellCheck={false}
                  defaultValue={callbacks.hosts.map(({ host }) => host).join('\n')}
                />
              </Form>
            ) : null}
            <Facts facts={factsOf(callbacks)} />
            {develops && callbacks.hosts.length > 0 && (
              <button type="button" className="button" onClick={() => setOpen({ what: 'rotate' })}>
                New callback secret
              </button>
            )}
          </>
        )}
      </Loaded>
      {open?.what === 'rotate' && (
        <Dialog title="Make a new callback secret?" onClose={close}>
          <Form submit="Make new secret" send={rotate} onCancel={close}>
            <p>
              For 24 hours every callback is signed with both, the old secret and the new one. Give the new
              one to your servers in that time.
            </p>
          </Form>
        </Dialog>
      )}
      {open?.what === 'secret' && (
        <SecretDialog
          title="Your callback secret"
          name="Callback secret"
          secret={open.secret}
          onClose={close}
        >
          <p>
            This is the only time that the secret is shown. Copy it now and give it to the servers that take
            your callbacks.
          </p>
        </SecretDialog>
      )}
    </Section>
  )
}

function factsOf({ hosts, previousSecretUntil }: Callbacks): [string, React.ReactNode][] {
  if (hosts.length === 0) return [['Hosts', 'None']]
  return [
    ...hosts.map((each): [string, React.ReactNode] => [each.host, <HostState key={each.id} of={each} />]),
    ...(previousSecretUntil
      ? [
          ['Two signatures until', <Time key="until" at={previousSecretUntil} />] satisfies [
            string,
            React.ReactNode,
          ],
        ]
      : []),
  ]
}

function HostState({ of }: { of: Callbacks['hosts'][number] }) {
  const waiting = of.waiting > 0 ? ` · ${of.waiting.toLocaleString()} waiting` : ''
  if (of.failingSince)
    return (
      <>
        Fails since <Time at={of.failingSince} />: {of.lastError}
        {waiting}
      </>
    )
  if (!of.lastDeliveredAt) return <>Nothing delivered yet{waiting}</>
  return (
    <>
      Last delivered <Time at={of.lastDeliveredAt} />
      {waiting}
    </>
  )
}
