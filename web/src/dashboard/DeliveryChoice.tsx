import { Choices } from '../ui/Choices.tsx'
import { textOf } from './formData.ts'
import { useMe } from './session/session.ts'

const choices = [
  {
    value: 'mail',
    label: 'By mail',
    hint: 'Only the mailbox gets the link, so that using it proves whose the address is.',
  },
  { value: 'link', label: 'I hand it over', hint: 'You get a link to give to them.' },
]

/** How an invitation's link is delivered. */
export function DeliveryChoice() {
  const { mail } = useMe()
  if (!mail) return <p>You get a link to give to them. Cowry sends no mail.</p>
  return <Choices name="delivery" legend="The link" choices={choices} chosen="mail" />
}

export const readDelivery = (data: FormData): { delivery: 'mail' | 'link' } | object => {
  const delivery = textOf(data, 'delivery')
  return delivery === 'mail' || delivery === 'link' ? { delivery } : {}
}
