import { useState } from 'react'
import type { DashboardBodyOf } from '../../../../client/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'

type Product = DashboardBodyOf<'setVerificationPrice'>['product']

export const productLabels: Record<Product, string> = {
  verification: 'Verification',
  assessment: 'Risk assessment',
  decision: 'Decision',
}

const products = Object.entries(productLabels).map(([value, label]) => ({ value, label }))

export function SetPriceDialog({ onClose, onSet }: { onClose: () => void; onSet: () => void }) {
  const api = useApi()
  const notify = useNotify()
  const [product, setProduct] = useState<Product>('verification')
  const isVerification = product === 'verification'
  async function send(data: FormData): Promise<void> {
    const of = isVerification
      ? { country: trimmed(data, 'country').toUpperCase(), idType: trimmed(data, 'idType') }
      : {}
    await api.call('setVerificationPrice', {
      body: { product, ...of, price: trimmed(data, 'price') || null },
    })
    onSet()
    onClose()
    notify('The price is set.')
  }
  const plain = { autoCapitalize: 'none', spellCheck: false, autoComplete: 'off' } as const
  return (
    <Dialog title="Set a price" onClose={onClose}>
      <Form submit="Set price" send={send} onCancel={onClose}>
        <Select
          name="product"
          label="Product"
          value={product}
          onChange={({ currentTarget }) => setProduct(currentTarget.value as Product)}
          choices={products}
        />
        {isVerification && (
          <>
            <Field name="country" label="Country" placeholder="NG" required maxLength={2} {...plain} />
            <Field name="idType" label="Document" placeholder="passport" required maxLength={40} {...plain} />
          </>
        )}
        <Field
          name="price"
          label="Price"
          hint="US dollars; empty: it is no longer sold."
          inputMode="decimal"
          maxLength={40}
          {...plain}
        />
      </Form>
    </Dialog>
  )
}
