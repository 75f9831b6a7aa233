import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createProver, createVerifier, publicKeyOf } from '../custody/proof.ts'
import { Secret } from '../platform/secrets.ts'
import { intentMessage, type ProvenIntent, type ProvenRequest, requestMessage } from './proof.ts'

const keyOf = (byte: number) => new Secret(Buffer.alloc(32, byte).toString('base64'))
const verifier = createVerifier([publicKeyOf(keyOf(1))])
const prover = createProver(keyOf(1))

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const intent: fc.Arbitrary<ProvenIntent> = fc.record({
  id: fc.uuid(),
  businessId: fc.uuid(),
  purpose: fc.string(),
  chain: fc.string(),
  signer: fc.string(),
  walletId: nullable(fc.uuid()),
  transfer: fc.record({
    kind: fc.constant('transfer' as const),
    from: fc.string(),
    to: fc.string(),
    token: nullable(fc.record({ contract: fc.string(), symbol: fc.constant(''), decimals: fc.constant(0) })),
    amount: fc.bigInt({ min: 1n }),
    memo: nullable(fc.record({ type: fc.constantFrom('text' as const, 'id' as const), value: fc.string() })),
    gasPrice: nullable(fc.bigInt({ min: 0n })),
    gasLimit: nullable(fc.bigInt({ min: 0n })),
  }),
  symbol: fc.string(),
  decimals: fc.nat(),
  createdAt: fc.date({ noInvalidDate: true }),
})
const request: fc.Arbitrary<ProvenRequest> = fc.record({
  intentId: fc.uuid(),
  number: fc.nat(),
  chain: fc.string(),
  nonce: nullable(fc.bigInt({ min: 0n })),
  terms: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))),
  givenUp: fc.array(fc.string()),
})
const plain = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))

test('two intents have the same message only if they are equal', () => {
  fc.assert(fc.property(intent, intent, (one, other) => intentMessage(one).equals(intentMessage(other)) === (plain(one) === plain(other))))
})

test('any changed field of an intent changes the message and voids the proof', () => {
  fc.assert(
    fc.property(intent, intent, (one, other) => {
      const proof = prover.prove(intentMessage(one))
      expect(verifier.verifies(intentMessage(one), proof)).toBe(true)
      const swapped = (Object.keys(one) as (keyof ProvenIntent)[]).flatMap((field) =>
        field === 'transfer'
          ? (Object.keys(one.transfer) as (keyof ProvenIntent['transfer'])[]).map((inner) => ({
              ...one,
              transfer: { ...one.transfer, [inner]: other.transfer[inner] },
            }))
          : [{ ...one, [field]: other[field] }],
      )
      for (const each of swapped) expect(verifier.verifies(intentMessage(each), proof)).toBe(plain(each) === plain(one))
    }),
    { numRuns: 25 },
  )
})

test('the order of terms does not matter, and no part of a request runs into the next', () => {
  fc.assert(
    fc.property(request, request, (one, other) => {
      const reversed = Object.fromEntries(Object.entries(one.terms).reverse())
      expect(requestMessage({ ...one, terms: reversed }).equals(requestMessage(one))).toBe(true)
      if (plain({ ...one, terms: 0 }) !== plain({ ...other, terms: 0 })) expect(requestMessage(one).equals(requestMessage(other))).toBe(false)
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
  for (const length of [0, 1, 72, 74]) expect(verifier.verifies(message, Buffer.alloc(length, proof))).toBe(false)
})
