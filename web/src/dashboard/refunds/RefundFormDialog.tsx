import { useState } from 'react'
import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Select } from '../../ui/Select.tsx'
import { chainLabel } from '../labels.ts'
import { MemoFields } from '../MemoFields.tsx'
import type { Refundable } from './refundable.ts'
import { draftIn, keyOfAsset, kindsOf, type RefundDraft } from './refundForm.ts'
import { kindLabels } from './refundLabels.ts'

interface Props {
  offered: Refundable[]
  /** What was entered before. */
  draft: RefundDraft | undefined
  onClose: () => void
  onFilled: (draft: RefundDraft) => void
}

const recipients = [
  { value: 'address', label: 'To an address' },
  {
    value: 'claim',
    label: 'By a link',
    hint: 'Your customer names the address. You get the link once, and send it to them.',
  },
]

/** Requests how much is refunded, and to whom. */
export function RefundFormDialog({ offered, draft, onClose, onFilled }: Props) {
  const before = draft?.body
  const [asset, setAsset] = useState(
    before?.chain && before.token ? `${before.chain}:${before.token}` : undefined,
  )
  const of = offered.find((each) => keyOfAsset(each) === asset) ?? offered[0]
  const kinds = of ? kindsOf(of) : []
  const [kind, setKind] = useState<string>(before ? (before.kind ?? 'amount') : (kinds[0]?.[0] ?? 'amount'))
  const [to, setTo] = useState(before?.claim ? 'claim' : 'address')
  if (!of) return null
  const chosen = kinds.some(([each]) => each === kind) ? kind : 'amount'
  return (
    <Dialog title="Refund this payment" onClose={onClose}>
      <Form
        submit="Continue"
        send={async (data) => onFilled(draftIn(data, offered))}
        onCancel={onClose}
        focusFirst
      >
        {offered.length > 1 && (
          <Select
            name="asset"
            label="Money"
            value={keyOfAsset(of)}
            onChange={(event) => setAsset(event.target.value)}
            choices={offered.map((each) => ({
              value: keyOfAsset(each),
              label: `${each.now} ${each.token} on ${chainLabel(each.chain)}`,
            }))}
          />
        )}
        <Choices
          key={keyOfAsset(of)}
          name="kind"
          legend="How much"
          chosen={chosen}
          onChoose={setKind}
          choices={[
            ...kinds.map(([value, amount]) => ({
              value,
              label: `${kindLabels[value]}: ${amount} ${of.token}`,
            })),
            { value: 'amount', label: kindLabels.amount },
          ]}
        />
        {chosen === 'amount' && (
          <Field
            name="amount"
            label="Amount"
            hint={`At most ${of.now} ${of.token}.`}
            required
            maxLength={60}
            inputMode="decimal"
            autoComplete="off"
            defaultValue={before?.amount}
          />
        )}
        <Choices name="to" legend="To whom" chosen={to} onChoose={setTo} choices={recipients} />
        {to === 'address' && (
          <>
            <Field
              name="toAddress"
              label={`Address on ${chainLabel(of.chain)}`}
              hint="Ask your customer for it: the sender may be an exchange, where the money would be lost."
              required
              maxLength={120}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={before?.toAddress}
            />
            <MemoFields
              chain={of.chain}
              hint="Exchanges need one. May stay empty."
              memo={before?.memo}
              memoType={before?.memoType}
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}
