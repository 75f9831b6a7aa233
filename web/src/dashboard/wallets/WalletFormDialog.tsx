import { useState } from 'react'
import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf, trimmed } from '../formData.ts'
import { chainChoices } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { MadeWallet, Wallet } from './types.ts'
import { storedIn, walletIn } from './walletForm.ts'

const kinds = [
  { value: 'new', label: 'A new wallet', hint: 'You see its recovery phrase once.' },
  { value: 'mine', label: 'One that I have', hint: 'By its recovery phrase or its private key.' },
]

interface Props {
  onClose: () => void
  onMade: (made: MadeWallet) => void
  onStored: (wallet: Wallet) => void
}

export function WalletFormDialog({ onClose, onMade, onStored }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  const [kind, setKind] = useState('new')
  const path = { businessId: business.id }
  async function send(data: FormData): Promise<void> {
    const { chain, name } = walletIn(data)
    if (textOf(data, 'kind') === 'new') {
      const { address, mnemonic } = await api.call('generateWalletOfBusiness', { path, body: { chain } })
      onMade({ chain, name, address, phrase: mnemonic })
      return
    }
    const body = storedIn({ chain, name }, trimmed(data, 'secret'))
    onStored(await api.call('storeWalletOfBusiness', { path, body }))
    notify('The wallet is stored.')
  }
  return (
    <Dialog title="New wallet" onClose={onClose}>
      <Form submit={kind === 'new' ? 'Continue' : 'Store wallet'} send={send} onCancel={onClose} focusFirst>
        <Select name="chain" label="Network" choices={chainChoices} />
        <Field
          name="name"
          label="Label"
          hint="For you, such as Suppliers. May stay empty."
          maxLength={200}
          autoComplete="off"
        />
        <Choices name="kind" legend="Wallet" choices={kinds} chosen={kind} onChoose={setKind} />
        {kind === 'mine' && (
          <TextArea
            name="secret"
            label="Recovery phrase or private key"
            hint="It is sealed at once: only the process that signs can open it, and no page shows it again."
            required
            maxLength={500}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Form>
    </Dialog>
  )
}
