import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Action, IfNoTrustline } from '../chains/action.ts'
import { createProver, createVerifier, publicKeyOf } from '../custody/proof.ts'
import { Secret } from '../platform/secrets.ts'
import { intentMessage, type ProvenIntent, type ProvenRequest, requestMessage } from './proof.ts'

const keyOf = (byte: number) => new Secret(Buffer.alloc(32, byte).toString('base64'))
const verifier = createVerifier([publicKeyOf(keyOf(1))])
const prover = createProver(keyOf(1))

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const token = nullable(
  fc.record({ contract: fc.string(), symbol: fc.constant(''), decimals: fc.constant(0) }),
)
const gas = { gasPrice: nullable(fc.bigInt({ min: 0n })), gasLimit: nullable(fc.bigInt({ min: 0n })) }
const transfer: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant('transfer' as const),
  from: fc.string(),
  to: fc.string(),
  token,
  amount: fc.bigInt({ min: 1n }),
  memo: nullable(fc.record({ type: fc.constantFrom('text' as const, 'id' as const), value: fc.string() })),
  ...gas,
  ifNoTrustline: fc.constantFrom<IfNoTrustline | undefined>(
    undefined,
    { kind: 'claimable' },
    { kind: 'wait', until: new Date(0) },
    { kind: 'wait', until: new Date(1) },
  ),
}) as fc.Arbitrary<Action>
const flows = fc.array(fc.record({ address: fc.string(), token, amount: fc.bigInt({ min: 1n }) }), {
  maxLength: 2,
})
const accounts = fc.array(fc.record({ address: fc.string(), signer: fc.boolean(), writable: fc.boolean() }), {
  maxLength: 2,
})
const calls: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant('calls' as const),
  from: fc.string(),
  calls: fc.array(
    fc.record({ to: fc.string(), data: fc.string(), value: fc.bigInt({ min: 0n }), accounts }),
    { minLength: 1, maxLength: 2 },
  ),
  cosigners: fc.array(fc.string(), { maxLength: 2 }),
  spends: flows,
  receives: flows,
  ...gas,
})
const intentOf = (
  businessId: fc.Arbitrary<string | null>,
  action: fc.Arbitrary<Action>,
): fc.Arbitrary<ProvenIntent> =>
  fc.record({
    id: fc.uuid(),
    businessId,
    purpose: fc.string(),
    chain: fc.string(),
    signer: fc.string(),
    walletId: nullable(fc.uuid()),
    action,
    symbol: fc.string(),
    decimals: fc.nat(),
    validUntil: nullable(fc.date({ noInvalidDate: true })),
    createdAt: fc.date({ noInvalidDate: true }),
  })
const intents: [string, fc.Arbitrary<ProvenIntent>][] = [
  ["a business's transfer", intentOf(fc.uuid(), transfer)],
  ["the platform's transfer", intentOf(fc.constant(null), transfer)],
  ['calls', intentOf(nullable(fc.uuid()), calls)],
]
const request: fc.Arbitrary<ProvenRequest> = fc.record({
  intentId: fc.uuid(),
  number: fc.nat(),
  chain: fc.string(),
  nonce: nullable(fc.bigInt({ min: 0n })),
  terms: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))),
  givenUp: fc.array(fc.string()),
  cancels: fc.boolean(),
})
const plain = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))

describe.each(intents)('%s', (_what, intent) => {
  test('has the message of another one only if they are equal', () => {
    fc.assert(
      fc.property(
        intent,
        intent,
        (one, other) => intentMessage(one).equals(intentMessage(other)) === (plain(one) === plain(other)),
      ),
    )
  })

  test('has another message, and no valid proof, after any field is changed', () => {
    fc.assert(
      fc.property(intent, intent, (one, other) => {
        const proof = prover.prove(intentMessage(one))
        expect(verifier.verifies(intentMessage(one), proof)).toBe(true)
        const swapped = (Object.keys(one) as (keyof ProvenIntent)[]).flatMap((field) =>
          field === 'action'
            ? (Object.keys(one.action) as (keyof Action)[]).map((inner) => ({
                ...one,
                action: { ...one.action, [inner]: other.action[inner] },
              }))
            : [{ ...one, [field]: other[field] }],
        )
        for (const each of swapped)
          expect(verifier.verifies(intentMessage(each), proof)).toBe(plain(each) === plain(one))
      }),
      { numRuns: 25 },
    )
  })
})

test("the message of a business's transfer stays byte for byte: rows under way keep their proofs", () => {
  const one: ProvenIntent = {
    id: '0198f3c0-0000-7000-8000-000000000001',
    businessId: '0198f3c0-0000-7000-8000-000000000002',
    purpose: 'transfer',
    chain: 'ethereum',
    signer: 'wallet',
    walletId: '0198f3c0-0000-7000-8000-000000000003',
    action: {
      kind: 'transfer',
      from: '0xa',
      to: '0xb',
      token: { contract: '0xc', symbol: 'USDC', decimals: 6 },
      amount: 5n,
      memo: { type: 'text', value: 'm' },
      gasPrice: 7n,
      gasLimit: null,
    },
    symbol: 'USDC',
    decimals: 6,
    needsApproval: true,
    createdAt: new Date('2026-01-02T03:04:05.006Z'),
  }
  expect(intentMessage(one).toString()).toBe(
    'cowry/intent/v1\n["0198f3c0-0000-7000-8000-000000000001","0198f3c0-0000-7000-8000-000000000002","transfer","ethereum","wallet",' +
      '"0198f3c0-0000-7000-8000-000000000003","0xa","0xb","0xc","USDC","6","5","text","m","7",null,"true","2026-01-02T03:04:05.006Z"]',
  )
  expect(intentMessage({ ...one, validUntil: null })).toEqual(intentMessage(one))
  const until = { ...one, validUntil: new Date('2026-01-03T00:00:00Z') }
  expect(intentMessage(until).toString()).toBe(
    intentMessage(one).toString().replace(/]$/, ',"2026-01-03T00:00:00.000Z"]'),
  )
})

test('the message of a transfer on Stellar names what happens without a trustline, after all other fields', () => {
  const action: Action = {
    kind: 'transfer',
    from: 'A',
    to: 'B',
    token: null,
    amount: 5n,
    memo: null,
    gasPrice: null,
    gasLimit: null,
  }
  const one: ProvenIntent = {
    ...{
      id: '1',
      businessId: '2',
      purpose: 'transfer',
      chain: 'stellar',
      signer: 'wallet',
      walletId: '3',
      symbol: 'USDC',
      decimals: 7,
    },
    ...{ action, createdAt: new Date('2026-01-02T03:04:05.006Z') },
  }
  const plainText = intentMessage(one).toString()
  const added = (ifNoTrustline: IfNoTrustline) =>
    intentMessage({ ...one, action: { ...action, ifNoTrustline } })
      .toString()
      .replace(plainText.slice(0, -1), '')
  expect(added({ kind: 'claimable' })).toBe(',"ifNoTrustline","claimable",""]')
  expect(added({ kind: 'wait', until: new Date('2026-01-09T03:04:05.006Z') })).toBe(
    ',"ifNoTrustline","wait","2026-01-09T03:04:05.006Z"]',
  )
})

test('the order of terms does not matter, and no part of a request runs into the next', () => {
  fc.assert(
    fc.property(request, request, (one, other) => {
      const reversed = Object.fromEntries(Object.entries(one.terms).reverse())
      expect(requestMessage({ ...one, terms: reversed }).equals(requestMessage(one))).toBe(true)
      if (plain({ ...one, terms: 0 }) !== plain({ ...other, terms: 0 }))
        expect(requestMessage(one).equals(requestMessage(other))).toBe(false)
    }),
  )
})

test('a rolled key works while it is listed; another key, another version and a truncated proof never do', () => {
  const message = Buffer.from('any')
  const old = createProver(keyOf(2)).prove(message)
  expect(createVerifier([publicKeyOf(keyOf(1)), publicKeyOf(keyOf(2))]).verifies(message, old)).toBe(true)
  expect(verifier.verifies(message, old)).toBe(false)
  const proof = prover.prove(message)
  expect(verifier.verifies(message, Buffer.concat([Buffer.of(2), proof.subarray(1)]))).toBe(false)
  for (const length of [0, 1, 72, 74])
    expect(verifier.verifies(message, Buffer.alloc(length, proof))).toBe(false)
})
