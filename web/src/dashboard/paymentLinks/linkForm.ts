import { FieldProblem } from '../../ui/FieldProblem.ts'
import { fromZoneInput } from '../../ui/zone.ts'
import { textOf, trimmed } from '../formData.ts'
import type { NewLink } from './types.ts'

const amountForm = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/
const example = 'Enter an amount, such as 25 or 12.50.'

/** The value of a choice of network and token. */
export const choiceValue = (chain: string, token: string): string => `${chain} ${token}`

/**
 * The request of a sent form for a payment link. Empty fields are left out.
 * @param business its currency, and the time zone by which the expiry was entered
 * @throws FieldProblem
 */
export function linkIn(
  data: FormData,
  { localCurrency, timeZone }: { localCurrency: string | null; timeZone: string },
): NewLink {
  const max = trimmed(data, 'maxSessions')
  if (max !== '' && !/^[1-9][0-9]{0,6}$/.test(max))
    throw new FieldProblem({ maxSessions: 'Enter a number from 1, or leave it empty.' })
  const expiresAt = fromZoneInput(textOf(data, 'expiresAt'), timeZone)
  const accept = data.getAll('accept').map((value) => {
    const [chain = '', token = ''] = String(value).split(' ')
    return { chain, token } as NonNullable<NewLink['accept']>[number]
  })
  if (textOf(data, 'networks') === 'some' && accept.length === 0)
    throw new FieldProblem({ networks: 'Choose at least one network.' })
  return {
    ...amountIn(data, localCurrency),
    ...textsIn(data),
    ...(textOf(data, 'networks') === 'some' && { accept }),
    ...(max && { maxSessions: Number(max) }),
    ...(expiresAt && { expiresAt }),
  }
}

/** The request of a payment whose customer chooses: a link for one payment. @throws FieldProblem */
export function linkForOneIn(data: FormData): NewLink {
  const priced = data.has('localAmount') ? 'localAmount' : 'amount'
  return {
    [priced]: needed(data, priced),
    ...textsIn(data),
    expirySeconds: Number(textOf(data, 'expirySeconds')),
    maxSessions: 1,
  }
}

function amountIn(data: FormData, localCurrency: string | null): NewLink {
  const isLocal = localCurrency !== null && textOf(data, 'in') === 'local'
  if (textOf(data, 'kind') !== 'open') {
    const priced = data.has('localAmount') ? 'localAmount' : 'amount'
    return { [priced]: needed(data, priced) }
  }
  const [min, max] = [given(data, 'openAmount.min'), given(data, 'openAmount.max')]
  return {
    openAmount: { ...(isLocal && { localCurrency }), ...(min && { min }), ...(max && { max }) },
  }
}

function textsIn(data: FormData): Pick<NewLink, 'reference' | 'label'> {
  const [reference, label] = [trimmed(data, 'reference'), trimmed(data, 'label')]
  return { ...(reference && { reference }), ...(label && { label }) }
}

function needed(data: FormData, name: string): string {
  const amount = trimmed(data, name)
  if (!amountForm.test(amount)) throw new FieldProblem({ [name]: example })
  return amount
}

/** An amount that may stay empty. */
function given(data: FormData, name: string): string {
  return trimmed(data, name) === '' ? '' : needed(data, name)
}
