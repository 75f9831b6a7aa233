import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { ComputeBudgetInstruction, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import fc from 'fast-check'
import { Secret } from '../../../platform/secrets.ts'
import type { Call, CallsSpec } from '../../action.ts'
import type { Terms } from '../../sending.ts'
import { transactionBytes } from './callInstructions.ts'
import { solanaTransferBuilder } from './transferBuilder.ts'

const builder = solanaTransferBuilder()
const numRuns = 60
const [treasury, owner, third] = [1, 2, 3].map((byte) => Keypair.fromSeed(new Uint8Array(32).fill(byte))) as [
  Keypair,
  Keypair,
  Keypair,
]
const addressOf = ({ publicKey }: Keypair) => publicKey.toBase58()
const privateKeyOf = ({ secretKey }: Keypair) => new Secret(base58.encode(secretKey))
const program = new PublicKey(new Uint8Array(32).fill(9)).toBase58()

const termsOf = (signatures: number, more: Terms = {}): Terms => ({
  blockhash: new PublicKey(new Uint8Array(32).fill(7)).toBase58(),
  lastValidBlockHeight: '500',
  computeUnits: 300_000,
  microLamports: '2500',
  tokenProgram: null,
  decimals: null,
  opensAccount: false,
  signatures,
  rent: '0',
  fee: '0',
  ...more,
})
const callOf = (signers: readonly Keypair[], more: Partial<Call> = {}): Call => ({
  to: program,
  data: 'AQID',
  value: 0n,
  accounts: signers.map((each) => ({ address: addressOf(each), signer: true, writable: false })),
  ...more,
})
const callsOf = (calls: readonly Call[], cosigners: readonly Keypair[] = []): CallsSpec => ({
  kind: 'calls',
  from: addressOf(treasury),
  calls,
  cosigners: cosigners.map(addressOf),
  spends: [],
  receives: [],
  gasPrice: null,
  gasLimit: null,
})

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const anyAccount = fc.oneof(
  fc.record({
    address: bytes32.map((bytes) => base58.encode(bytes)),
    signer: fc.constant(false),
    writable: fc.boolean(),
  }),
  fc.record({
    address: fc.constantFrom(...[treasury, owner, third].map(addressOf)),
    signer: fc.boolean(),
    writable: fc.boolean(),
  }),
)
const anyCall = fc.record({
  to: bytes32.map((bytes) => base58.encode(bytes)),
  data: fc.uint8Array({ maxLength: 150 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  value: fc.constant(0n),
  accounts: fc.array(anyAccount, { maxLength: 5 }),
})
/** Batches with the cosigners that their calls need, in any order. */
const batches = fc
  .tuple(fc.array(anyCall, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([calls, isReversed]) => {
    const needs = (pair: Keypair) =>
      calls.some(({ accounts }) =>
        accounts.some(({ address, signer }) => signer && address === addressOf(pair)),
      )
    const cosigners = [owner, third].filter(needs)
    return { calls, cosigners: isReversed ? cosigners.reverse() : cosigners }
  })

describe('a signed batch', () => {
  test('decodes in web3.js to its calls in order, with the sender as fee payer and exactly its signers, all of whom signed', () => {
    fc.assert(
      fc.property(batches, ({ calls, cosigners }) => {
        const action = callsOf(calls, cosigners)
        const signers = [treasury, ...cosigners]
        const terms = termsOf(signers.length)
        const { bytes, txId, expiry } = builder.sign(action, terms, null, signers.map(privateKeyOf))
        const read = Transaction.from(bytes)
        expect([read.feePayer?.toBase58(), read.recentBlockhash]).toEqual([
          addressOf(treasury),
          terms.blockhash,
        ])
        const given = read.instructions
          .slice(2)
          .map(({ programId, keys, data }) => [
            programId.toBase58(),
            keys.map(({ pubkey }) => pubkey.toBase58()),
            data,
          ])
        expect(given).toEqual(
          calls.map(({ to, data, accounts }) => [
            to,
            accounts.map(({ address }) => address),
            Buffer.from(data, 'base64'),
          ]),
        )
        // The compute budget first: an advance of a nonce account in its place would make the transaction
        // valid without end.
        const [limit, price] = read.instructions
        if (!limit || !price) throw new Error('without a compute budget')
        expect(ComputeBudgetInstruction.decodeSetComputeUnitLimit(limit)).toEqual({
          units: terms.computeUnits,
        })
        expect(String(ComputeBudgetInstruction.decodeSetComputeUnitPrice(price).microLamports)).toBe(
          terms.microLamports,
        )
        expect(transactionBytes(treasury.publicKey, read.instructions)).toBe(bytes.length)
        expect(read.verifySignatures()).toBe(true)
        expect(read.signatures.map(({ publicKey }) => publicKey.toBase58()).sort()).toEqual(
          signers.map(addressOf).sort(),
        )
        expect([txId, expiry]).toEqual([
          base58.encode(read.signature ?? new Uint8Array()),
          { blockHeight: 500n },
        ])
        // Accounts are writable exactly if the fee payer, or if a call writes to them.
        const writable = new Set([
          addressOf(treasury),
          ...calls.flatMap((each) =>
            each.accounts.filter((one) => one.writable).map(({ address }) => address),
          ),
        ])
        for (const { pubkey, isWritable } of read.instructions.slice(2).flatMap(({ keys }) => keys)) {
          expect(isWritable).toBe(writable.has(pubkey.toBase58()))
        }
        const message = read.compileMessage()
        expect(builder.unsigned(action, terms, null).signing).toBe(
          Buffer.from(bytes.subarray(1 + 64 * signers.length)).toString('hex'),
        )
        expect(message.header.numRequiredSignatures).toBe(signers.length)
      }),
      { numRuns },
    )
  })

  test('follows from action and terms alone', () => {
    const action = callsOf([callOf([treasury, owner])], [owner])
    const sign = (terms: Terms) => builder.sign(action, terms, null, [treasury, owner].map(privateKeyOf)).txId
    expect(sign(termsOf(2))).toBe(sign(termsOf(2)))
    expect(sign(termsOf(2, { computeUnits: 300_001 }))).not.toBe(sign(termsOf(2)))
  })

  test('costs a fee for each signature', () => {
    expect([1, 2, 3].map((signatures) => builder.maxFee(termsOf(signatures)))).toEqual([
      5_750n,
      10_750n,
      15_750n,
    ])
    const { signatures: _, ...earlier } = termsOf(1)
    expect(builder.maxFee(earlier)).toBe(5_750n)
  })

  test('is signed only with the keys of all its signers, in their order, and errors do not reveal keys', () => {
    const action = callsOf([callOf([owner])], [owner])
    const sign =
      (...pairs: Keypair[]) =>
      () =>
        builder.sign(action, termsOf(2), null, pairs.map(privateKeyOf))
    expect(sign(treasury)).toThrow('signed with 2 keys, not 1')
    expect(sign(treasury, owner, third)).toThrow('signed with 2 keys, not 3')
    expect(sign(treasury, third)).toThrow(new Error(`this is not the private key of ${addressOf(owner)}`))
    expect(sign(owner, treasury)).toThrow(new Error(`this is not the private key of ${addressOf(treasury)}`))
  })

  test('is not signed on terms of another transaction, whose maximum fee is another', () => {
    const action = callsOf([callOf([owner])], [owner])
    const on = (terms: Terms) => () => builder.unsigned(action, terms, null)
    expect(on(termsOf(1))).toThrow('the terms are of 1 signatures, the action has 2')
    expect(on(termsOf(2, { opensAccount: true }))).toThrow('the terms are of a transfer')
    expect(on(termsOf(2, { tokenProgram: program, decimals: 6 }))).toThrow('the terms are of a transfer')
    expect(on(termsOf(0))).toThrow('no valid signatures')
  })
})

describe('calls are refused', () => {
  const tooMany = callsOf(
    Array.from({ length: 12 }, () => callOf([treasury], { data: Buffer.alloc(100).toString('base64') })),
  )
  test.each<[string, CallsSpec, RegExp]>([
    ['without a call', callsOf([]), /no call/],
    ['if an account must sign that is not a signer', callsOf([callOf([owner])]), /need a signature of/],
    [
      'with a cosigner that signs no call',
      callsOf([callOf([treasury])], [owner]),
      /need no signature of the cosigner/,
    ],
    [
      'with a cosigner named twice',
      callsOf([callOf([owner])], [owner, owner]),
      /need no signature of the cosigner/,
    ],
    [
      'with the sender as its own cosigner',
      callsOf([callOf([owner])], [treasury, owner]),
      /need no signature of the cosigner/,
    ],
    ['that send SOL along', callsOf([callOf([treasury], { value: 1n })]), /system program/],
    ['with data that is not base64', callsOf([callOf([treasury], { data: '0x010' })]), /not base64/],
    ['that exceed a packet', tooMany, /takes 1[3-9]\d\d bytes/],
    [
      'far longer than a packet',
      callsOf([callOf([treasury], { data: Buffer.alloc(200_000).toString('base64') })]),
      /takes 200\d\d\d bytes/,
    ],
    ...[
      'ComputeBudget111111111111111111111111111111',
      'Ed25519SigVerify111111111111111111111111111',
      'KeccakSecp256k11111111111111111111111111111',
      'Secp256r1SigVerify1111111111111111111111111',
    ].map((to): [string, CallsSpec, RegExp] => [
      `of ${to}, which change the fee`,
      callsOf([callOf([treasury], { to })]),
      /change the fee/,
    ]),
  ])('%s, before anything is signed', (_what, action, message) => {
    const keys = [
      treasury,
      ...action.cosigners.map((each) => [owner, treasury].find((pair) => addressOf(pair) === each) ?? third),
    ].map(privateKeyOf)
    const terms = termsOf(keys.length)
    for (const attempt of [
      () => builder.unsigned(action, terms, null),
      () => builder.sign(action, terms, null, keys),
    ]) {
      expect(attempt).toThrow(
        expect.objectContaining({
          name: 'ActionRefusedError',
          reason: 'unsupported_action',
          message: expect.stringMatching(message),
        }),
      )
    }
  })

  test('above 1232 bytes as web3.js counts them, and not below', () => {
    const sized = (length: number) => {
      const call = callOf([owner], { data: Buffer.alloc(length).toString('base64') })
      return builder.sign(callsOf([call], [owner]), termsOf(2), null, [treasury, owner].map(privateKeyOf))
        .bytes
    }
    const rest = 1232 - Transaction.from(sized(800)).serialize().length
    expect(Transaction.from(sized(800 + rest)).serialize()).toHaveLength(1232)
    expect(() => sized(801 + rest)).toThrow('the transaction takes 1233 bytes')
  })

  test('signed elsewhere if they have cosigners', () => {
    const action = callsOf([callOf([owner])], [owner])
    const { payload } = builder.unsigned(action, termsOf(2), null)
    expect(() => builder.accept(action, termsOf(2), null, payload)).toThrow(
      expect.objectContaining({ reason: 'unsupported_action' }),
    )
  })
})

test('a call of the system program is the instruction that web3.js makes', () => {
  const made = SystemProgram.transfer({
    fromPubkey: owner.publicKey,
    toPubkey: third.publicKey,
    lamports: 5n,
  })
  const call: Call = {
    to: made.programId.toBase58(),
    data: made.data.toString('base64'),
    value: 0n,
    accounts: made.keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58(),
      signer: isSigner,
      writable: isWritable,
    })),
  }
  const { bytes } = builder.sign(
    callsOf([call], [owner]),
    termsOf(2),
    null,
    [treasury, owner].map(privateKeyOf),
  )
  expect(Transaction.from(bytes).instructions[2]).toEqual(made)
})
