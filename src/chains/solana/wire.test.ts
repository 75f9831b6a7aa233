import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import {
  AddressLookupTableAccount,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { ProviderError } from '../chain.ts'
import { messageOfBytes } from './wire.ts'

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
const people = fc.uniqueArray(keys, {
  minLength: 5,
  maxLength: 12,
  selector: (bytes) => Buffer.from(bytes).toString('hex'),
})
const calls = fc.array(
  fc.record({
    program: fc.nat(2),
    accounts: fc.array(fc.record({ which: fc.nat(11), isSigner: fc.boolean(), isWritable: fc.boolean() }), {
      maxLength: 8,
    }),
    // A length above 127 takes two bytes.
    data: fc.uint8Array({ maxLength: 300 }),
  }),
  { maxLength: 5 },
)

/**
 * A transaction by web3.js with a random signature: legacy, or version 0 with some accounts in a lookup
 * table.
 */
const transactions = fc
  .record({
    people,
    calls,
    legacy: fc.boolean(),
    blockhash: keys,
    signed: fc.uint8Array({ minLength: 64, maxLength: 64 }),
  })
  .map((made) => {
    const accounts = made.people.map((bytes) => new PublicKey(bytes))
    const at = (which: number) => accounts[which % accounts.length] as PublicKey
    const instructions = made.calls.map(
      ({ program, accounts: used, data }) =>
        new TransactionInstruction({
          programId: at(program + 1),
          keys: used.map(({ which, isSigner, isWritable }) => ({ pubkey: at(which), isSigner, isWritable })),
          data: Buffer.from(data),
        }),
    )
    const message = new TransactionMessage({
      payerKey: at(0),
      recentBlockhash: base58.encode(made.blockhash),
      instructions,
    })
    const table = new AddressLookupTableAccount({
      key: PublicKey.default,
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: accounts.slice(-2),
      },
    })
    const transaction = new VersionedTransaction(
      made.legacy ? message.compileToLegacyMessage() : message.compileToV0Message([table]),
    )
    transaction.signatures[0] = made.signed
    return transaction
  })

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe('the bytes of a transaction', () => {
  test('are parsed as web3.js wrote them, legacy and version 0', () => {
    fc.assert(
      fc.property(transactions, (transaction) => {
        const { signatures, message } = transaction
        const read = messageOfBytes(base64(transaction.serialize()))
        expect(read.signatures).toEqual(signatures.map((each) => base58.encode(each)))
        expect(read.message.accountKeys).toEqual(message.staticAccountKeys.map((each) => each.toBase58()))
        expect(read.message.instructions).toEqual(
          message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
            programIdIndex,
            accounts: [...accountKeyIndexes],
            data: base58.encode(data),
          })),
        )
      }),
    )
  })

  test('truncated anywhere are refused', () => {
    fc.assert(
      fc.property(
        transactions,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (transaction, part) => {
          const bytes = transaction.serialize()
          const cut = bytes.subarray(0, Math.floor(part * bytes.length))
          // Lookup tables, after the instructions, are not read.
          try {
            const read = messageOfBytes(base64(cut))
            expect(read).toEqual(messageOfBytes(base64(bytes)))
          } catch (error) {
            expect(error).toBeInstanceOf(ProviderError)
          }
        },
      ),
    )
  })

  test('of an unknown version are refused', () => {
    const version1 = Buffer.concat([Buffer.of(0), Buffer.of(0x81), Buffer.alloc(100)])
    expect(() => messageOfBytes(base64(version1))).toThrow(/version 1/)
  })

  test('with a length of more than three bytes are refused', () => {
    expect(() => messageOfBytes(base64(Buffer.of(0x80, 0x80, 0x80, 1)))).toThrow(ProviderError)
  })

  test('of arbitrary content are parsed, or are a provider error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        try {
          messageOfBytes(base64(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(ProviderError)
        }
      }),
    )
  })
})
