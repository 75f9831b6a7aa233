import { describe, expect, test } from '@jest/globals'
import {
  type Contract,
  loadContract,
  loadVerificationContract,
  type Operation,
  operationsOf,
} from '../../api/contract.ts'
import type { SpecifiedOperation } from './demands.ts'
import { builtOperation, missesOf } from './holds.ts'
import { mutationsOf, withoutReferences } from './mutations.ts'
import { specifiedOperations } from './operations.ts'

// The contract promises what the API's specification demands.

/** With the operation of the verification host that the specification names. */
const contract = withHealthOf(loadVerificationContract(), loadContract())

function withHealthOf(verification: Contract, api: Contract): Contract {
  const [server] = verification.servers
  const health = verification.paths['/health']
  if (!server || !health) throw new Error('the verification contract has no health')
  return {
    ...api,
    paths: {
      ...api.paths,
      [`${server.url}/health`]: { servers: [{ url: '/' }], ...health } as Contract['paths'][string],
    },
  }
}

/**
 * Where the contract promises less than the letter of the specification, whose tables show strings and ignore
 * values that are not known yet.
 */
const accepted = [
  'POST /pos/sessions answer.label can be null',
  'GET /pos/sessions/{id} answer.label can be null',
  // No rate is known for the currency.
  'POST /pos/sessions/quote answer.localAmount can be null',
  // A token that the caller names and that does not answer.
  'POST /crypto/wallets/balance answer.balances.tokens[].symbol can be null',
  'POST /crypto/wallets/balance answer.balances.tokens[].balance can be null',
  'POST /crypto/wallets/balance answer.balances.tokens[].decimals can be null',
  // It is not signed yet.
  'POST /crypto/transfers/tokens answer.txHash can be null',
  // Nothing of it was sent, because its approval failed.
  'POST /crypto/swaps/execute answer.txHash can be null',
  // The event has no transaction; it is not delivered yet.
  'GET /webhooks answer.webhooks[].txId can be null',
  'GET /webhooks answer.webhooks[].deliveredAt can be null',
  // The burn is not signed yet.
  'GET /bridge/transfer/{id}/status answer.sourceTxHash can be null',
  // The partner has not answered yet, or leaves it out.
  'POST /fiat-collections/{id}/refresh-status answer.cryptoAmount can be null',
  'POST /fiat-collections/{id}/refresh-status answer.bankName can be null',
  'POST /fiat-collections/{id}/refresh-status answer.bankAccountNumber can be null',
  'POST /fiat-collections/{id}/refresh-status answer.bankAccountName can be null',
  'POST /fiat-collections/{id}/refresh-status answer.rate can be null',
  'POST /fiat-collections/{id}/refresh-status answer.expiresAt can be null',
  'POST /fiat-collections/{id}/refresh-status answer.partnerPaymentId can be null',
  'POST /fiat-collections/{id}/refresh-status answer.partnerPaymentStatus can be null',
  'POST /fiat-collections/{id}/refresh-status answer.partnerReference can be null',
  'POST /fiat-collections/{id}/refresh-status answer.networkFeeUsd can be null',
  'POST /fiat-collections/{id}/refresh-status answer.serviceFeeUsd can be null',
  'POST /fiat-collections/{id}/refresh-status answer.convertedAmount can be null',
  'GET /fiat-collections answer.data[].cryptoAmount can be null',
  'GET /fiat-collections answer.data[].bankName can be null',
  'GET /fiat-collections answer.data[].bankAccountNumber can be null',
  'GET /fiat-collections answer.data[].bankAccountName can be null',
  'GET /fiat-collections answer.data[].rate can be null',
  'GET /fiat-collections answer.data[].expiresAt can be null',
]

const missesIn = (document: typeof contract) =>
  specifiedOperations.flatMap((each) => (builtOperation(each, document) ? missesOf(each, document) : []))

test('each operation is specified once', () => {
  const names = specifiedOperations.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('every specified operation is in the contract', () => {
  expect(
    specifiedOperations.filter((each) => !builtOperation(each, contract)).map(({ name }) => name),
  ).toEqual([])
})

test('the contract promises everything specified of every operation', () => {
  expect(missesIn(contract)).toEqual(accepted)
})

describe('the check finds', () => {
  const plain = withoutReferences(contract)

  /** The contract with one operation changed. */
  function changed(specified: SpecifiedOperation, apply: (operation: Operation) => void): typeof contract {
    const { method, path } = listed(specified)
    const item = structuredClone(plain.paths[path])
    if (!item?.[method]) throw new Error(`${specified.name} is not built`)
    apply(item[method])
    return { ...plain, paths: { ...plain.paths, [path]: item } }
  }

  /** The place of an operation in the contract. */
  function listed(specified: SpecifiedOperation) {
    const operation = builtOperation(specified, plain)
    const found = operationsOf(plain).find((each) => each.operation === operation)
    if (!found) throw new Error(`${specified.name} is not built`)
    return found
  }

  test('the same in a contract without references', () => {
    expect(missesIn(plain)).toEqual(accepted)
  })

  test.each(specifiedOperations.map((each) => [each.name, each] as const))(
    'every broken promise of %s, and no other',
    (_name, specified) => {
      const mutations = mutationsOf(specified, plain)
      expect(mutations.length).toBeGreaterThan(3)
      for (const { miss, apply } of mutations) {
        const misses = missesIn(changed(specified, apply))
        expect({ miss, found: misses.filter((each) => !accepted.includes(each)) }).toEqual({
          miss,
          found: [miss],
        })
      }
    },
  )

  test.each(specifiedOperations)('that $name was removed', (specified) => {
    const broken = structuredClone(plain)
    const { method, path } = listed(specified)
    delete broken.paths[path]?.[method]
    expect(specifiedOperations.filter((each) => !builtOperation(each, broken))).toContain(specified)
    expect(() => missesOf(specified, broken)).toThrow(/is not built/)
  })

  test('another base path: then no operation is built', () => {
    const broken = { ...structuredClone(plain), servers: [{ url: '/api/v2' }] }
    // Health of the verification host has a server of its own.
    expect(
      specifiedOperations.filter((each) => each.base === undefined && builtOperation(each, broken)),
    ).toEqual([])
  })

  test('a header of another name for the key', () => {
    const broken = structuredClone(plain)
    broken.components.securitySchemes = {
      ...broken.components.securitySchemes,
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
    }
    expect(() => missesIn(broken)).toThrow(/no credential like apiKey/)
  })

  test('fields behind a reference, and keys next to it', () => {
    const broken = structuredClone(contract)
    const session = broken.components.schemas?.Session as { properties: Record<string, object> }
    session.properties.address = { $ref: '#/components/schemas/Amount', type: 'integer' }
    expect(missesIn(broken).filter((each) => !accepted.includes(each))).toEqual([
      'POST /pos/sessions answer.address is not of type string',
      'GET /pos/sessions/{id} answer.address is not of type string',
    ])
  })
})
