import { describe, expect, test } from '@jest/globals'
import { answerCheck } from './answers.ts'
import { type Contract, loadContract, loadDashboardContract, operationsOf } from './contract.ts'

const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })
const contract = {
  openapi: '3.1.0',
  info: { title: 'A shop', version: '1' },
  servers: [{ url: '/api' }],
  paths: {
    '/things/{id}~1': {
      get: {
        operationId: 'getThing',
        summary: '',
        'x-permission': 'things:read',
        'x-scope': 'read',
        responses: {
          200: json({ $ref: '#/components/schemas/Thing' }),
          202: { $ref: '#/components/responses/Later' },
          204: { description: '' },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        additionalProperties: false,
        required: ['at'],
        properties: {
          at: { type: 'string', format: 'date-time' },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
        },
      },
      Part: { type: 'string', maxLength: 3 },
    },
    responses: { Later: json({ type: 'object', required: ['id'], properties: { id: { type: 'string' } } }) },
  },
} as unknown as Contract
const getThing = { operationId: 'getThing' }

describe('an answer', () => {
  const check = answerCheck(contract)

  test.each([
    [200, { at: '2026-11-20T10:00:00.000Z', parts: ['abc'] }],
    [200, { at: new Date(), parts: undefined }],
    [202, { id: 'a', more: 1 }],
    [204, undefined],
  ])('is accepted when it keeps to the contract: %i %j', (status, body) => {
    expect(check(getThing, status, body)).toBeNull()
  })

  test.each([
    ['a missing field', 200, {}, "must have required property 'at'"],
    ['an extra field', 200, { at: new Date(), secret: 'x' }, 'must NOT have additional properties'],
    ['no time', 200, { at: 'yesterday' }, 'must match format'],
    [
      'a part that is too long',
      200,
      { at: new Date(), parts: ['abcd'] },
      'must NOT have more than 3 characters',
    ],
    ['a shared response with a missing field', 202, {}, "must have required property 'id'"],
    ['an undocumented status', 201, {}, 'no answer 201'],
    ['a body where the contract has no body', 204, {}, 'no body'],
  ])('is reported when it breaks the contract: %s', (_what, status, body, words) => {
    expect(check(getThing, status, body)).toContain(words)
  })

  test('of an unknown operation is reported', () => {
    expect(check({ operationId: 'other' }, 200, {})).toContain('no such operation')
  })
})

describe.each([
  ['API', loadContract()],
  ['dashboard', loadDashboardContract()],
])('the contract of the %s', (_name, real) => {
  test('has a schema for every answer, and a number matches no schema', () => {
    const check = answerCheck(real)
    for (const { operation } of operationsOf(real)) {
      for (const status of Object.keys(operation.responses))
        expect([operation.operationId, status, check(operation, Number(status), 7)]).not.toContain(null)
    }
  })
})
