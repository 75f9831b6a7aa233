import type { DashboardBodyOf } from '../../../../client/index.ts'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { textOf, trimmed } from '../formData.ts'
import { readMetadata } from '../monitoring/monitoringForm.ts'

export type NewCollection = DashboardBodyOf<'createCollectionOfBusiness'>
type Recipient = NonNullable<NewCollection['recipient']>

/** Whole units: the partner takes no others. */
const amountForm = /^[1-9][0-9]*$/

/**
 * The request of a sent form, whose controls have the names of the request's fields. Empty fields are left
 * out. @throws FieldProblem
 */
export function collectionIn(data: FormData): NewCollection {
  const amount = trimmed(data, 'amount')
  if (!amountForm.test(amount))
    throw new FieldProblem({ amount: 'Enter whole units of the currency, such as 50000.' })
  const metadata = readMetadata(textOf(data, 'metadata'))
  return {
    amount,
    currency: textOf(data, 'currency'),
    country: textOf(data, 'country'),
    walletAddress: trimmed(data, 'walletAddress'),
    cryptoCurrency: textOf(data, 'cryptoCurrency') as NewCollection['cryptoCurrency'],
    cryptoNetwork: textOf(data, 'cryptoNetwork') as NewCollection['cryptoNetwork'],
    source: {
      accountType: textOf(data, 'source.accountType') as NewCollection['source']['accountType'],
      ...filled(data, 'source.', sourceFields),
    },
    ...filled(data, '', ['memo', 'redirectUrl', 'reference']),
    ...(textOf(data, 'payer') === 'customer' && { recipient: recipientIn(data) }),
    ...(metadata && { metadata }),
  }
}

const sourceFields = ['networkId', 'accountNumber'] as const
const recipientFields = [
  'name',
  'phone',
  'address',
  'dob',
  'email',
  'idType',
  'idNumber',
  'additionalIdType',
  'additionalIdNumber',
] as const

function recipientIn(data: FormData): Recipient {
  const country = trimmed(data, 'recipient.country').toUpperCase()
  return { ...filled(data, 'recipient.', recipientFields), country } as Recipient
}

/** Fields by their name in the request. */
function filled<Name extends string>(
  data: FormData,
  prefix: string,
  names: readonly Name[],
): { [N in Name]?: string } {
  return Object.fromEntries(
    names.map((name) => [name, trimmed(data, prefix + name)]).filter(([, value]) => value !== ''),
  ) as { [N in Name]?: string }
}
