import { expect, test } from '@jest/globals'
import {
  allOperations,
  loadContract,
  loadDashboardContract,
  loadVerificationContract,
  type Operation,
} from '../contract.ts'
import { cellOf, listColumns } from './listColumns.ts'
import { rowsOfList, type Schema } from './rowsOfList.ts'

const contracts = [
  ['programs', loadContract()],
  ['the dashboard', loadDashboardContract()],
  ['verification', loadVerificationContract()],
] as const
const hasCsv = ({ responses }: Operation) =>
  'text/csv' in ((responses['200'] as { content?: object } | undefined)?.content ?? {})

/** Two lists in one answer. */
const without = ['listSenders']

test.each(contracts)('every list of %s has CSV, with columns, and takes bom', (_name, contract) => {
  const lists = allOperations(contract).filter(({ operationId }) => operationId.startsWith('list'))
  expect(lists.filter((each) => !hasCsv(each)).map(({ operationId }) => operationId)).toEqual(
    lists.map(({ operationId }) => operationId).filter((id) => without.includes(id)),
  )
  for (const list of lists.filter(hasCsv)) {
    const rows = rowsOfList(contract.components, list)
    expect([list.operationId, rows && listColumns(contract.components, rows.schema)]).toEqual([
      list.operationId,
      expect.arrayContaining([expect.anything()]),
    ])
    expect(list.parameters).toContainEqual({ $ref: '#/components/parameters/Bom' })
  }
})

const price: Schema = { type: 'object', properties: { amount: { type: 'string' }, per: { type: 'string' } } }
const row: Schema = {
  properties: {
    id: { type: 'string' },
    tags: { type: 'array' },
    price: { $ref: '#/components/schemas/Price' },
  },
}

test('an object has a column for each of its fields, also by reference; several texts are one', () => {
  const columns = listColumns({ schemas: { Price: price } } as never, row)
  expect(columns.map(({ name }) => name)).toEqual(['id', 'tags', 'price.amount', 'price.per'])
  const cells = (of: unknown) => columns.map((column) => cellOf(of, column))
  expect(cells({ id: '=1', tags: ['a', 'b'], price: { amount: '-2.50', per: '+1' } })).toEqual([
    '=1',
    'a b',
    { number: '-2.50' },
    '+1',
  ])
  expect(cells({ id: 7, tags: [{ a: 1 }], price: null })).toEqual([{ number: '7' }, '[{"a":1}]', null, null])
})

test.each(['-1+2', '1e5', '-', '--1', '+1', '01', '-1\n', '-1.'])('%j is a text', (text) => {
  expect(cellOf({ text }, { name: 'text', path: ['text'] })).toBe(text)
})
