import { expect, test } from '@jest/globals'
import { undescribed, unexplainedNulls, withSharedDescriptions } from '../scripts/contracts/descriptions.ts'
import { type Contract, loadContract, loadVerificationContract } from './contract.ts'

const contractOf = (schemas: object, more = {}) =>
  ({ paths: {}, components: { schemas }, ...more }) as unknown as Contract
const object = (properties: object, more = {}) => ({
  type: 'object',
  description: 'It.',
  properties,
  ...more,
})
const shared = (schemas: object, more = {}) =>
  withSharedDescriptions(contractOf(schemas, more)).components.schemas as Record<string, unknown>

test.each([
  ["the API's contract", loadContract],
  ["the verification host's contract", loadVerificationContract],
])('%s describes each field, parameter and schema', (_name, load) => {
  expect(undescribed(load())).toEqual([])
})

test.each<[what: string, contract: Contract, places: string[]]>([
  ['a field', contractOf({ A: object({ b: { type: 'string' } }) }), ['components.schemas.A.b']],
  [
    'an empty description',
    contractOf({ A: object({ b: { description: ' ' } }) }),
    ['components.schemas.A.b'],
  ],
  ['a schema', contractOf({ A: { type: 'string' } }), ['components.schemas.A']],
  [
    'a field of a list',
    contractOf({
      A: object({ b: { description: 'Rows.', type: 'array', items: { properties: { c: {} } } } }),
    }),
    ['components.schemas.A.properties.b.items.c'],
  ],
  [
    'a reference to a schema without one',
    contractOf({ A: object({ b: { $ref: '#/components/schemas/B' } }), B: { type: 'string' } }),
    ['components.schemas.B', 'components.schemas.A.b'],
  ],
  [
    'a parameter',
    contractOf({}, { paths: { '/a': { get: { parameters: [{ name: 'b', in: 'query', schema: {} }] } } } }),
    ['paths./a.get.parameters.0'],
  ],
])('%s without a description is found', (_what, contract, places) => {
  expect(undescribed(contract)).toEqual(places)
})

test.each([
  ["the API's contract", loadContract],
  ["the verification host's contract", loadVerificationContract],
])('%s explains null of each field that may be null', (_name, load) => {
  expect(unexplainedNulls(load())).toEqual([])
})

test.each<[what: string, field: object, isFound: boolean]>([
  ['of two types', { type: ['string', 'null'], description: 'Its end.' }, true],
  ['that explains it', { type: ['string', 'null'], description: 'Null until it ends.' }, false],
  ['of two schemas', { oneOf: [{ type: 'null' }, { type: 'object' }], description: 'Its end.' }, true],
  ['of the older form', { type: 'string', nullable: true, description: 'Nullified.' }, true],
  ['by reference', { $ref: '#/components/schemas/C', description: 'Its end.' }, true],
  ['by reference to what explains it', { $ref: '#/components/schemas/B', description: 'Its end.' }, false],
  ['that is never null', { type: 'string', description: 'Its end.' }, false],
])('a nullable field %s', (_what, field, isFound) => {
  const B = { type: ['string', 'null'], description: 'Null: none.' }
  const C = { ...B, description: 'An end.' }
  expect(unexplainedNulls(contractOf({ A: object({ b: field }), B, C }))).toEqual(
    isFound ? ['components.schemas.A.b'] : [],
  )
})

test('a field called description, and examples, are no descriptions and no fields', () => {
  const contract = contractOf({
    A: object({ description: { type: 'string' } }, { example: { properties: { b: {} } } }),
  })
  expect(undescribed(contract)).toEqual(['components.schemas.A.description'])
})

test('x-described-by takes the descriptions of fields with the same name, through other schemas too', () => {
  expect(
    shared({
      A: object({ b: { description: 'From A.' }, c: { description: 'From A.' }, d: {} }),
      B: object({ b: {}, c: { description: 'Its own.' } }, { 'x-described-by': 'A' }),
      C: object({ b: {}, c: {}, d: {} }, { 'x-described-by': 'B' }),
    }),
  ).toMatchObject({
    B: object({ b: { description: 'From A.' }, c: { description: 'Its own.' } }),
    C: object({ b: { description: 'From A.' }, c: { description: 'Its own.' }, d: {} }),
  })
})

test('x-described-by a schema that is not there is refused', () => {
  expect(() => shared({ A: object({ b: {} }, { 'x-described-by': 'None' }) })).toThrow('no schema None')
})

test('pages of lists have the descriptions of x-page-fields', () => {
  const list = object({ total: {}, page: {}, totalPages: {}, rows: {} })
  const { A } = shared(
    { A: list },
    { 'x-page-fields': { total: 'All.', page: 'This.', totalPages: 'Last.' } },
  )
  expect(A).toEqual(
    object({
      total: { description: 'All.' },
      page: { description: 'This.' },
      totalPages: { description: 'Last.' },
      rows: {},
    }),
  )
})

test('the body of an event has the summary of its webhook, and the descriptions of the envelope', () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/PaidEvent' } } }
  const webhooks = { paid: { post: { summary: 'It is paid', requestBody: { content } } } }
  const envelope = object({ type: { description: 'Its type.' } })
  const { PaidEvent } = shared(
    { EventEnvelope: envelope, PaidEvent: { properties: { type: { const: 'paid' } } } },
    { webhooks },
  )
  expect(PaidEvent).toEqual({
    description: 'It is paid.',
    properties: { type: { const: 'paid', description: 'Its type.' } },
  })
})
