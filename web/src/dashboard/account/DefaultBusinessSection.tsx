import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { Select } from '../../ui/Select.tsx'
import { textOf } from '../formData.ts'
import { useMe, useSession } from '../session/session.ts'

/**
 * The business that access tokens write for when a request names no business; shown if the account has
 * several.
 */
export function DefaultBusinessSection() {
  const { api, signedIn } = useSession()
  const { account, businesses } = useMe()
  const notify = useNotify()
  if (businesses.length < 2) return null

  async function send(data: FormData): Promise<void> {
    signedIn(
      await api.call('chooseDefaultBusiness', { body: { businessId: textOf(data, 'businessId') || null } }),
    )
    notify('Your default is saved. It applies to access tokens from the next login on.')
  }

  const choices = [
    { value: '', label: 'No default: each request names one' },
    ...businesses.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <Section
      title="Default business"
      lead="You belong to several businesses. A program with your access token must name the one that a change is for, or you choose a default here."
    >
      <Form submit="Save default" send={send}>
        <Select
          name="businessId"
          label="Default business"
          defaultValue={account.defaultBusinessId ?? ''}
          choices={choices}
        />
      </Form>
    </Section>
  )
}
