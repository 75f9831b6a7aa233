import { expect, test } from '@jest/globals'
import { ValidationError } from '../../../client/index.ts'
import { errorsOf } from './fieldErrors.ts'

const refused = (...fields: { field: string; message: string }[]) =>
  new ValidationError({ status: 400, code: 'validation_failed', message: '', fields })
const labels: Record<string, string> = {
  'recipient.phone': 'Their phone',
  recipient: 'Recipient',
  allowedAddresses: 'Addresses',
}
const errors = (names: string[], ...fields: { field: string; message: string }[]) =>
  errorsOf(refused(...fields), names, (name) => labels[name] ?? 'This')

test('an error of a field inside another one is shown at the control with the whole name', () => {
  const phone = { field: 'recipient.phone', message: 'is required' }
  expect(errors(['recipient.phone', 'recipient'], phone)).toEqual({
    'recipient.phone': 'Their phone is required.',
  })
  expect(errors(['recipient'], phone)).toEqual({ recipient: 'Recipient is required.' })
  expect(errors(['amount'], phone)).toEqual({})
})

test('an error of an item of a list names its line', () => {
  expect(errors(['allowedAddresses'], { field: 'allowedAddresses.2', message: 'is not a network' })).toEqual({
    allowedAddresses: 'Line 3 is not a network.',
  })
})
