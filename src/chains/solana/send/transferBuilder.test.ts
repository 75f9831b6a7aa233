import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import {
  ASSOCIATED_TOKEN_PROGRAM_ID,
  decodeTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  ComputeBudgetInstruction,
  Keypair,
  PublicKey,
  SystemInstruction,
  Transaction,
  type TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { Secret } from '../../../platform/secrets.ts'
import type { TransferSpec } from '../../action.ts'
import type { Terms } from '../../sending.ts'
import { solanaTransferBuilder } from './transferBuilder.ts'

const builder = solanaTransferBuilder()
const numRuns = 40
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const keypairs = bytes32.map((seed) => Keypair.fromSeed(seed))
const addresses = bytes32.map((bytes) => base58.encode(bytes))
const u64 = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })

interface Made {
  from: Keypair
  transfer: TransferSpec
  terms: Terms
}

/** Transfers of SOL and of tokens of both programs, to addresses on and off the curve. */
const transfers: fc.Arbitrary<Made> = fc
  .record({
    from: keypairs,
    to: addresses,
    mint: fc.option(addresses),
    amount: u64,
    decimals: fc.nat(18),
    is2022: fc.boolean(),
    opensAccount: fc.boolean(),
    blockhash: addresses,
    computeUnits: fc.integer({ min: 1, max: 1_400_000 }),
    microLamports: fc.bigInt({ min: 0n, max: 2_000_000n }),
    height: fc.nat(400_000_000),
    rent: fc.nat(10_000_000),
  })
  .map(
    ({
      from,
      to,
      mint,
      amount,
      decimals,
      is2022,
      opensAccount,
      blockhash,
      computeUnits,
      microLamports,
      height,
      rent,
    }) => {
      const program = (is2022 ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID).toBase58()
      const address = from.publicKey.toBase58()
      return {
        from,
        transfer: {
          kind: 'transfer' as const,
          from: address,
          to,
          token: mint === null ? null : { contract: mint, symbol: 'USDC', decimals },
          amount,
          memo: null,
          gasPrice: null,
          gasLimit: null,
        },
        terms: {
          ...{
            blockhash,
            lastValidBlockHeight: String(height),
            computeUnits,
            microLamports: String(microLamports),
          },
          ...{
            tokenProgram: mint && program,
            decimals: mint && decimals,
            opensAccount: mint !== null && opensAccount,
          },
          ...{ rent: String(rent), fee: '0' },
        },
      }
    },
  )

const holds = (check: (made: Made) => void) => fc.assert(fc.property(transfers, check), { numRuns })
const privateKeyOf = (pair: Keypair) => new Secret(base58.encode(pair.secretKey))
const unsigned = ({ transfer, terms }: Made) =>
  Buffer.from(builder.unsigned(transfer, terms, null).payload, 'base64')
const sign = ({ transfer, terms, from }: Made) => builder.sign(transfer, terms, null, [privateKeyOf(from)])
const accept = ({ transfer, terms }: Made, payload: Uint8Array) =>
  builder.accept(transfer, terms, null, Buffer.from(payload).toString('base64'))
const associated = (mint: PublicKey, owner: string, program: PublicKey) =>
  getAssociatedTokenAddressSync(mint, new PublicKey(owner), true, program)

/** The instructions after those of the compute budget, decoded by web3.js. */
function afterBudget({ instructions }: Transaction, { terms }: Made): TransactionInstruction[] {
  const [limit, price, ...rest] = instructions
  if (!limit || !price) throw new Error('without a compute budget')
  expect(ComputeBudgetInstruction.decodeSetComputeUnitLimit(limit)).toEqual({ units: terms.computeUnits })
  expect(String(ComputeBudgetInstruction.decodeSetComputeUnitPrice(price).microLamports)).toBe(
    terms.microLamports,
  )
  return rest
}

describe('a transaction', () => {
  test('decodes in web3.js and spl-token to exactly the transfer', () => {
    holds((made) => {
      const { transfer, terms } = made
      const read = Transaction.from(unsigned(made))
      expect([read.feePayer?.toBase58(), read.recentBlockhash]).toEqual([transfer.from, terms.blockhash])
      const [first, ...rest] = afterBudget(read, made)
      if (!first) throw new Error('without a transfer')
      if (!transfer.token) {
        const sent = SystemInstruction.decodeTransfer(first)
        expect([
          rest.length,
          sent.fromPubkey.toBase58(),
          sent.toPubkey.toBase58(),
          BigInt(sent.lamports),
        ]).toEqual([0, transfer.from, transfer.to, transfer.amount])
        return
      }
      const [mint, program] = [
        new PublicKey(transfer.token.contract),
        new PublicKey(String(terms.tokenProgram)),
      ]
      const destination = associated(mint, transfer.to, program)
      const instruction = terms.opensAccount ? rest[0] : first
      expect(rest).toHaveLength(terms.opensAccount ? 1 : 0)
      if (terms.opensAccount) {
        expect([first.programId, [...first.data]]).toEqual([ASSOCIATED_TOKEN_PROGRAM_ID, [1]])
        expect(first.keys.slice(0, 4).map(({ pubkey }) => pubkey.toBase58())).toEqual([
          transfer.from,
          destination.toBase58(),
          transfer.to,
          mint.toBase58(),
        ])
        expect(first.keys.at(-1)?.pubkey).toEqual(program)
      }
      const { keys, data } = decodeTransferCheckedInstruction(instruction ?? first, program)
      expect([data.amount, data.decimals]).toEqual([transfer.amount, transfer.token.decimals])
      expect(
        [keys.source, keys.mint, keys.destination, keys.owner].map(({ pubkey }) => pubkey.toBase58()),
      ).toEqual([
        associated(mint, transfer.from, program).toBase58(),
        mint.toBase58(),
        destination.toBase58(),
        transfer.from,
      ])
      expect(keys.multiSigners).toEqual([])
    })
  })

  test('is deterministic, has an empty signature, and fits into a packet', () => {
    holds((made) => {
      const bytes = unsigned(made)
      expect(unsigned(made)).toEqual(bytes)
      const { signatures, message } = VersionedTransaction.deserialize(bytes)
      expect([signatures.length, signatures[0]?.some((byte) => byte !== 0)]).toEqual([1, false])
      expect(builder.unsigned(made.transfer, made.terms, null)).toMatchObject({
        encoding: 'base64',
        signing: Buffer.from(message.serialize()).toString('hex'),
      })
      expect(bytes.length).toBeLessThan(1232)
    })
  })

  test('is signed as by web3.js, and has its signature as its id', () => {
    holds((made) => {
      const { txId, bytes, expiry } = sign(made)
      const theirs = VersionedTransaction.deserialize(unsigned(made))
      theirs.sign([made.from])
      expect(Buffer.from(bytes)).toEqual(Buffer.from(theirs.serialize()))
      expect(txId).toBe(base58.encode(theirs.signatures[0] ?? new Uint8Array()))
      expect(Transaction.from(bytes).verifySignatures()).toBe(true)
      expect(expiry).toEqual({ blockHeight: BigInt(String(made.terms.lastValidBlockHeight)) })
      expect(accept(made, theirs.serialize())).toEqual({ txId, bytes, expiry })
    })
  })

  test('is signed only with its sender’s key, and errors do not reveal keys', () => {
    const [made] = fc.sample(transfers, 1)
    const other = Keypair.generate()
    if (!made) throw new Error('no sample')
    for (const text of [base58.encode(other.secretKey), 'no key at all', other.publicKey.toBase58()]) {
      const attempt = () => builder.sign(made.transfer, made.terms, null, [new Secret(text)])
      expect(attempt).toThrow(`this is not the private key of ${made.transfer.from}`)
    }
  })

  test('costs 5000 lamports, the price of all its compute units rounded up, and the rent', () => {
    holds(({ terms }) => {
      const price =
        (BigInt(Number(terms.computeUnits)) * BigInt(String(terms.microLamports)) * 10n + 9_999_999n) /
        10_000_000n
      expect(builder.maxFee(terms)).toBe(5000n + price + BigInt(String(terms.rent)))
    })
    const [made] = fc.sample(transfers, 1)
    const priced = (computeUnits: number, microLamports: string) =>
      builder.maxFee({ ...made?.terms, computeUnits, microLamports, rent: '7' })
    expect([priced(1, '0'), priced(1, '1'), priced(1000, '1000'), priced(1001, '1000')]).toEqual([
      5007n,
      5008n,
      5008n,
      5009n,
    ])
  })
})

describe('an externally signed transaction', () => {
  test('is refused if any byte is changed', () => {
    fc.assert(
      fc.property(
        transfers,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 255 }),
        (made, place, change) => {
          const bytes = Uint8Array.from(sign(made).bytes)
          const at = Math.floor(place * bytes.length)
          bytes[at] = (bytes[at] ?? 0) ^ change
          expect(accept(made, bytes)).toEqual({ refused: expect.any(String) })
        },
      ),
      { numRuns },
    )
  })

  test.each<[string, (made: Made) => Made]>([
    [
      'another amount',
      (made) => ({ ...made, transfer: { ...made.transfer, amount: made.transfer.amount - 1n } }),
    ],
    [
      'another recipient',
      (made) => ({ ...made, transfer: { ...made.transfer, to: Keypair.generate().publicKey.toBase58() } }),
    ],
    ['another fee', (made) => ({ ...made, terms: { ...made.terms, microLamports: '2000001' } })],
    [
      'another blockhash',
      (made) => ({ ...made, terms: { ...made.terms, blockhash: Keypair.generate().publicKey.toBase58() } }),
    ],
  ])('with %s is refused', (_what, change) => {
    fc.assert(
      fc.property(
        transfers.filter(({ transfer }) => transfer.amount > 1n),
        (made) => {
          expect(accept(made, sign(change(made)).bytes)).toEqual({
            refused: 'it differs from the transaction that was to be signed',
          })
        },
      ),
      { numRuns: 10 },
    )
  })

  test('signed with another key, or unsigned, is refused', () => {
    const otherSigner = Keypair.generate()
    holds((made) => {
      const refused = `it is not signed by ${made.transfer.from}`
      expect(accept(made, unsigned(made))).toEqual({ refused })
      const bytes = unsigned(made)
      const others = sign({
        ...made,
        from: otherSigner,
        transfer: { ...made.transfer, from: otherSigner.publicKey.toBase58() },
      })
      bytes.set(others.bytes.subarray(1, 65), 1)
      expect(accept(made, bytes)).toEqual({ refused })
    })
  })

  test('that is malformed is refused', () => {
    const [made] = fc.sample(transfers, 1)
    if (!made) throw new Error('no sample')
    for (const payload of [
      '',
      'AQ==',
      'not base64 at all',
      '{"txID":"00"}',
      Buffer.from(sign(made).bytes).toString('hex'),
    ]) {
      expect(builder.accept(made.transfer, made.terms, null, payload)).toEqual({
        refused: expect.any(String),
      })
    }
    const bytes = sign(made).bytes
    expect(accept(made, Buffer.concat([bytes, Buffer.of(0)]))).toHaveProperty('refused')
    expect(accept(made, bytes.subarray(0, -1))).toHaveProperty('refused')
  })
})

test('only the two token programs are called with the signature, on any terms', () => {
  fc.assert(
    fc.property(transfers, addresses, ({ from, transfer, terms }, program) => {
      const key = new Secret(base58.encode(from.secretKey))
      if (transfer.token)
        expect(() => builder.sign(transfer, { ...terms, tokenProgram: program }, null, [key])).toThrow(
          'is not a token program',
        )
    }),
    { numRuns },
  )
})

test('invalid terms are refused', () => {
  const [made] = fc.sample(
    transfers.filter(({ transfer }) => transfer.token !== null),
    1,
  )
  if (!made) throw new Error('no sample')
  const without = (change: Terms) => () => builder.unsigned(made.transfer, { ...made.terms, ...change }, null)
  expect(without({ blockhash: null })).toThrow(/not terms of a Solana transaction/)
  expect(without({ rent: '1.5' })).toThrow(/no valid rent/)
  expect(without({ tokenProgram: null, decimals: null })).toThrow(/the terms are of SOL/)
  expect(without({ tokenProgram: null })).toThrow(/only one of tokenProgram and decimals/)
})
