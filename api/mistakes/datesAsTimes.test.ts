import { expect, test } from '@jest/globals'
import { loadContract, operationsOf } from '../contract.ts'
import { datesAsTimes } from './datesAsTimes.ts'

const contract = loadContract()
const of = (operationId: string) => {
  const found = operationsOf(contract).find(({ operation }) => operation.operationId === operationId)
  if (!found) throw new Error(`there is no ${operationId}`)
  return datesAsTimes(contract, found.operation)
}

test('a date starts a period at its start, and ends it at its end', () => {
  expect(of('listSessions')({ since: '2026-11-28', until: '2026-12-31', search: '2026-11-28' })).toEqual({
    since: '2026-11-28T00:00:00.000Z',
    until: '2027-01-01T00:00:00.000Z',
    search: '2026-11-28',
  })
})

test.each(['2026-02-30', '2026-13-01', '2026-11-28T12:00:00Z', '28.11.2026', ''])(
  '%s stays as it is',
  (since) => expect(of('listSessions')({ since })).toEqual({ since }),
)
