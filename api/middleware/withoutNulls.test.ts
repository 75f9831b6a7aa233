import { describe, expect, test } from '@jest/globals'
import { loadContract, loadDashboardContract, operationsOf } from '../contract.ts'
import { nullRemover } from './withoutNulls.ts'

const string = { type: 'string' }
const contract = {
  components: {
    schemas: {
      Text: string,
      Nullable: { oneOf: [{ $ref: '#/components/schemas/Text' }, { type: 'null' }] },
      Free: { type: 'object', additionalProperties: true },
      Leaf: { type: 'object', required: ['must'], properties: { must: string, may: string } },
    },
  },
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const cleaned = (schema: object, body: unknown) => {
  nullRemover(contract, { requestBody: { content: { 'application/json': { schema } } } } as never)(body)
  return body
}

describe('null', () => {
  test.each<[string, object, unknown, unknown]>([
    [
      'of an optional field is removed',
      { properties: { a: string, b: ref('Text') } },
      { a: null, b: null, c: 'x' },
      { c: 'x' },
    ],
    [
      'of a field that takes it stays',
      { properties: { a: ref('Nullable'), b: { type: ['string', 'null'] } } },
      { a: null, b: null },
      { a: null, b: null },
    ],
    ['of a field of any type stays', { properties: { a: { description: 'any' } } }, { a: null }, { a: null }],
    ['of a required field stays', { required: ['a'], properties: { a: string } }, { a: null }, { a: null }],
    ['of an unknown field stays', { properties: {} }, { a: null }, { a: null }],
    ['in a free object stays', { properties: { a: ref('Free') } }, { a: { b: null } }, { a: { b: null } }],
    [
      'in an object and a list is removed',
      { properties: { a: { items: ref('Leaf') } } },
      { a: [{ must: null, may: null }] },
      { a: [{ must: null }] },
    ],
    [
      'of a choice is removed',
      { oneOf: [{ required: ['a'], properties: { a: string } }, { properties: { b: string } }] },
      { a: null, b: 'x' },
      { b: 'x' },
    ],
    [
      'of part of a whole is removed',
      { allOf: [ref('Leaf'), { properties: { b: string } }] },
      { must: 'x', may: null, b: null },
      { must: 'x' },
    ],
    [
      'of an enum that has it stays',
      { properties: { a: { enum: ['x', null] }, b: { enum: ['x'] } } },
      { a: null, b: null },
      { a: null },
    ],
  ])('%s', (_what, schema, body, after) => expect(cleaned(schema, body)).toEqual(after))
})

test('no operation of a contract keeps null in an optional field that does not take it', () => {
  for (const document of [loadContract(), loadDashboardContract()])
    for (const { operation } of operationsOf(document)) {
      const body = { label: null, metadata: null, reference: null, expirySeconds: null }
      const remove = nullRemover(document, operation)
      expect(() => remove(body)).not.toThrow()
      if (operation.operationId === 'createSession') expect(body).toEqual({})
    }
})
