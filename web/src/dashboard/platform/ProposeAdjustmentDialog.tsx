import { useState } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'

interface Props {
  onClose: () => void
  onProposed: () => void
}

const ofPlatform = [
  'capital',
  'fees',
  'rewards',
  'penalties',
  'rounding',
  'exchange',
  'fx_margin',
  'network_costs',
]

/** Accounts of an asset such as `polygon:USDC`: those of the chain need its name. */
const accountsOf = (asset: string): { value: string; label: string }[] => {
  if (asset.trim() === 'USD')
    return [
      { value: '', label: 'Choose an account' },
      ...['credit', ...ofPlatform].map((value) => ({ value, label: value })),
    ]
  const [chain = ''] = asset.trim().split(':')
  const ofChain = chain === '' ? [] : [`treasury:${chain}`, `deposits:${chain}`, `staking:${chain}`]
  return [
    { value: '', label: 'Choose an account' },
    ...['available', ...ofPlatform, ...ofChain].map((value) => ({ value, label: value })),
  ]
}

/** Proposes a correction of the books. */
export function ProposeAdjustmentDialog({ onClose, onProposed }: Props) {
  const api = useApi()
  const notify = useNotify()
  const [asset, setAsset] = useState('')
  async function send(data: FormData): Promise<void> {
    const given = (name: string) => trimmed(data, name)
    const businessId = given('businessId')
    const body = {
      ...(businessId && { businessId }),
      debit: given('debit'),
      credit: given('credit'),
      asset: given('asset'),
      amount: given('amount'),
      reason: given('reason'),
    }
    await api.call('proposeAdjustment', { body })
    onProposed()
    onClose()
    notify('The adjustment is proposed. Another operator has to approve it.')
  }
  const plain = {
    required: true,
    maxLength: 60,
    autoCapitalize: 'none',
    spellCheck: false,
    autoComplete: 'off',
  } as const
  return (
    <Dialog title="Propose an adjustment" onClose={onClose}>
      <Form submit="Propose adjustment" send={send} onCancel={onClose}>
        <Field
          name="asset"
          label="Asset"
          placeholder="polygon:USDC"
          value={asset}
          onChange={({ currentTarget }) => setAsset(currentTarget.value)}
          {...plain}
        />
        <Field name="amount" label="Amount" inputMode="decimal" {...plain} />
        <Select
          name="debit"
          label="Debit"
          hint="It lowers available, credit, capital, fees, rewards, penalties, rounding, exchange and fx_margin, and raises treasury, deposits, staking and network_costs."
          choices={accountsOf(asset)}
          required
        />
        <Select
          name="credit"
          label="Credit"
          hint="The other account, the other way round. A credit of available pays what the business owes first."
          choices={accountsOf(asset)}
          required
        />
        <Field
          name="businessId"
          label="Business"
          hint="Its id, if one of the accounts is available or credit."
          {...plain}
          required={false}
        />
        <Field
          name="reason"
          label="Reason"
          hint="The business sees it at its entry."
          required
          maxLength={500}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  )
}
