import { useState } from 'react'
import { CowryError } from '../../../../client/index.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Field } from '../../ui/Field.tsx'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { asSentence } from '../../ui/plainError.ts'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { PaymentSettings } from '../types.ts'
import { controlOf, type Limit, type LimitRow, limitsIn, rowsOf } from './limitRows.ts'

/** The smallest and the largest payment: all members see them, an owner changes them. */
export function AmountLimitsSection({ settings }: { settings: PaymentSettings }) {
  const api = useApi()
  const { business, owns } = useBusiness()
  const path = { businessId: business.id }
  const loaded = useLoaded(business.id, (signal) => api.call('getAmountLimitsOfBusiness', { path, signal }))
  return (
    <Section
      title="Smallest and largest payment"
      lead="A payment outside is refused when it is made: by your server, at the till or by a payment link. A payment in a currency is measured by its amount of the token. Empty: no limit."
    >
      <Loaded of={loaded}>
        {({ limits }) =>
          owns ? (
            <LimitsForm
              key={JSON.stringify(limits)}
              settings={settings}
              limits={limits}
              onSaved={(saved) => loaded.put({ limits: saved })}
            />
          ) : (
            <Facts facts={limits.length > 0 ? limits.map(inWords) : [['Limits', 'None']]} />
          )
        }
      </Loaded>
    </Section>
  )
}

function LimitsForm({
  settings: { networks },
  limits,
  onSaved,
}: {
  settings: PaymentSettings
  limits: Limit[]
  onSaved: (limits: Limit[]) => void
}) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const [rows, setRows] = useState(() => rowsOf(networks, limits))
  const pairs = networks.flatMap(({ chain, tokens }) => tokens.map(({ token }) => ({ chain, token })))
  const free = pairs.filter(
    ({ chain, token }) => !rows.some((row) => row.chain === chain && row.token === token),
  )
  async function send(data: FormData): Promise<void> {
    const wanted = limitsIn(data, rows)
    try {
      const saved = await api.call('setAmountLimitsOfBusiness', {
        path: { businessId: business.id },
        body: { limits: wanted.limits },
      })
      onSaved(saved.limits)
      notify('The limits are saved.')
    } catch (error) {
      throw atRows(error, wanted.numbers)
    }
  }
  const add = (pair: string) => {
    const [chain = '', token = ''] = pair.split(' ')
    if (pair !== '') setRows([...rows, { token, chain, min: '', max: '' }])
  }
  return (
    <Form submit="Save limits" send={send}>
      {rows.map((row, number) => (
        <RowFields key={nameOf(row)} row={row} number={number} />
      ))}
      {free.length > 0 && (
        <div className="field">
          <label htmlFor="another-limit">Another limit on one network</label>
          <select id="another-limit" value="" onChange={({ target }) => add(target.value)}>
            <option value="">Choose a network</option>
            {free.map(({ chain, token }) => (
              <option key={`${chain} ${token}`} value={`${chain} ${token}`}>
                {token} on {chainLabel(chain)}
              </option>
            ))}
          </select>
        </div>
      )}
    </Form>
  )
}

const nameOf = ({ token, chain }: Pick<LimitRow, 'token' | 'chain'>): string =>
  chain === null ? token : `${token} on ${chainLabel(chain)}`

function RowFields({ row, number }: { row: LimitRow; number: number }) {
  const shared = { inputMode: 'decimal', autoComplete: 'off', maxLength: 37 } as const
  return (
    <>
      <Field {...shared} name={`min.${number}`} label={`Smallest, ${nameOf(row)}`} defaultValue={row.min} />
      <Field {...shared} name={`max.${number}`} label={`Largest, ${nameOf(row)}`} defaultValue={row.max} />
    </>
  )
}

/** The errors of an answer at the rows that they are about. */
function atRows(error: unknown, numbers: readonly number[]): unknown {
  if (!(error instanceof CowryError)) return error
  const found = (error.fields ?? []).flatMap(({ field, message }) => {
    const control = controlOf(field, numbers)
    return control === null ? [] : [[control, asSentence(`This ${message}`)] as const]
  })
  return found.length > 0 ? new FieldProblem(Object.fromEntries(found)) : error
}

function inWords({ token, chain, min, max }: Limit): [string, string] {
  const bounds = [min && `${min} at least`, max && `${max} at most`].filter(Boolean).join(', ')
  return [nameOf({ token, chain }), bounds]
}
