import { describe, expect, test } from '@jest/globals'
import {
  Account,
  Asset,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base'
import fc from 'fast-check'
import { howMany } from '../../../test/support/full.ts'
import { formatUnits } from '../../money/amount.ts'
import { Secret } from '../../platform/secrets.ts'
import type { TransferSpec } from '../action.ts'
import { stellarTransferBuilder } from './transferBuilder.ts'

const network = 'A Network of Tests ; November 2026'
const builder = stellarTransferBuilder({ network })
const [sender, recipient, issuer] = [Keypair.random(), Keypair.random(), Keypair.random()]
const secret = new Secret(sender.secret())
const usdc = { contract: `USDC:${issuer.publicKey()}`, symbol: 'USDC', decimals: 7 }
const muxed = (id: bigint) =>
  new MuxedAccount(new Account(recipient.publicKey(), '0'), id.toString()).accountId()

const plain: TransferSpec = {
  kind: 'transfer',
  from: sender.publicKey(),
  to: recipient.publicKey(),
  token: usdc,
  amount: 12_345_678n,
  memo: null,
  gasPrice: null,
  gasLimit: null,
}
const terms = { fee: '250', minTime: 0, maxTime: 1_800_000_000, creates: false }
const sequence = 77n
const unsignedOf = (payload: string, of = network) => new Transaction(payload, of)
const signed = (payload: string, ...pairs: Keypair[]) => {
  const transaction = unsignedOf(payload)
  transaction.sign(...pairs)
  return transaction.toXdr()
}
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hex)
const memos = fc.oneof(
  fc.constant(null),
  fc
    .string({ unit: 'grapheme' })
    .filter((value) => Buffer.byteLength(value) <= 28)
    .map((value) => ({ type: 'text' as const, value })),
  fc.bigInt(0n, 2n ** 64n - 1n).map((id) => ({ type: 'id' as const, value: id.toString() })),
  hash.map((value) => ({ type: 'hash' as const, value })),
  hash.map((value) => ({ type: 'return' as const, value })),
)
const intents = fc.record({
  ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, fc.constant(value)])),
  to: fc.oneof(fc.constant(recipient.publicKey()), fc.bigInt(1n, 2n ** 64n - 1n).map(muxed)),
  token: fc.constantFrom(null, usdc, { ...usdc, contract: `USDT0LONGER1:${issuer.publicKey()}` }),
  amount: fc.bigInt(1n, 2n ** 63n - 1n),
  memo: memos,
}) as fc.Arbitrary<TransferSpec>

/** The same, built with the SDK. */
function expected(
  { to, token, amount, memo }: TransferSpec,
  fee: number,
  maxTime: number,
  number: bigint,
): Transaction {
  const [code = '', by] = token?.contract.split(':') ?? []
  return new TransactionBuilder(new Account(sender.publicKey(), (number - 1n).toString()), {
    fee: fee.toString(),
    networkPassphrase: network,
    timebounds: { minTime: 0, maxTime },
    memo: memo ? new Memo(memo.type, memo.value) : Memo.none(),
  })
    .addOperation(
      Operation.payment({
        destination: to,
        asset: token ? new Asset(code, by) : Asset.native(),
        amount: formatUnits(amount, 7),
      }),
    )
    .build()
}

describe('a transfer', () => {
  test('is the transaction that the SDK builds, for any memo, recipient and amount', () => {
    fc.assert(
      fc.property(
        intents,
        fc.integer({ min: 100, max: 1_000_000 }),
        fc.integer({ min: 1, max: 2 ** 32 }),
        fc.bigInt(1n, 2n ** 62n),
        (transfer, fee, maxTime, number) => {
          const { payload, signing, encoding } = builder.unsigned(
            transfer,
            { ...terms, fee: fee.toString(), maxTime },
            number,
          )
          const wanted = expected(transfer, fee, maxTime, number)
          expect([payload, signing, encoding]).toEqual([wanted.toXdr(), hex(wanted.hash()), 'base64'])
        },
      ),
      { numRuns: howMany(150, 3000) },
    )
  })

  test('shows the transfer in the fields that the network’s wallets show', () => {
    const transfer: TransferSpec = {
      ...plain,
      to: muxed(42n),
      memo: { type: 'hash', value: 'ab'.repeat(32) },
    }
    const read = unsignedOf(builder.unsigned(transfer, terms, sequence).payload)
    expect(read).toMatchObject({
      source: plain.from,
      sequence: '77',
      fee: '250',
      timeBounds: { minTime: '0', maxTime: '1800000000' },
    })
    expect(read.operations).toMatchObject([
      {
        type: 'payment',
        destination: muxed(42n),
        amount: '1.2345678',
        asset: { code: 'USDC', issuer: issuer.publicKey() },
      },
    ])
    expect([read.memo.type, read.signatures]).toEqual(['hash', []])
  })

  test('to an account that does not exist creates it with the amount', () => {
    const { payload } = builder.unsigned(
      { ...plain, token: null, amount: 10_000_000n },
      { ...terms, creates: true },
      sequence,
    )
    expect(unsignedOf(payload).operations).toMatchObject([
      { type: 'createAccount', destination: plain.to, startingBalance: '1.0000000' },
    ])
  })

  test('costs at most the bid, and expires in time', () => {
    expect(builder.maxFee(terms)).toBe(250n)
    expect(builder.sign(plain, terms, sequence, [secret]).expiry).toEqual({
      time: new Date(1_800_000_000_000),
    })
  })

  test.each([
    ['without a sequence', terms, null],
    ['without a fee', { ...terms, fee: '0' }, sequence],
    ['with terms of another family', { lastValidBlockHeight: 5 }, sequence],
  ])('is refused %s', (_what, on, number) => {
    expect(() => builder.unsigned(plain, on, number)).toThrow(Error)
  })
})

describe('a signature', () => {
  test('is the sender’s, over the transaction of this network, and always the same', () => {
    const { payload, signing } = builder.unsigned(plain, terms, sequence)
    const made = builder.sign(plain, terms, sequence, [secret])
    expect(base64(made.bytes)).toBe(signed(payload, sender))
    expect(made.txId).toBe(signing)
    expect(builder.sign(plain, terms, sequence, [secret])).toEqual(made)
    const [one] = unsignedOf(base64(made.bytes)).signatures
    expect(sender.verify(Buffer.from(made.txId, 'hex'), one?.signature.value ?? new Uint8Array())).toBe(true)
  })

  test('by another key, or by a text that is not a key, is refused; errors do not contain the key', () => {
    for (const text of [recipient.secret(), `${sender.secret().slice(0, -1)}!`, 'S', '']) {
      let message = ''
      try {
        builder.sign(plain, terms, sequence, [new Secret(text)])
      } catch (error) {
        message = String(error instanceof Error ? error.stack : error)
      }
      expect(message).toMatch(/key/)
      if (text.length > 1) expect(message).not.toContain(text.slice(0, 20))
    }
  })
})

describe('a payload signed elsewhere', () => {
  const { payload } = builder.unsigned(plain, terms, sequence)
  const own = signed(payload, sender)
  const accept = (envelope: string) => builder.accept(plain, terms, sequence, envelope)

  test('is accepted like one that was signed here', () => {
    expect(accept(own)).toEqual(builder.sign(plain, terms, sequence, [secret]))
  })

  test('may have signatures of others, which are kept', () => {
    const both = signed(payload, recipient, sender)
    expect(accept(both)).toEqual({
      ...builder.sign(plain, terms, sequence, [secret]),
      bytes: Uint8Array.from(Buffer.from(both, 'base64')),
    })
  })

  test('is refused for any other transfer, even with valid signatures', () => {
    const others: Partial<TransferSpec>[] = [
      { to: issuer.publicKey() },
      { to: muxed(1n) },
      { token: null },
      { amount: plain.amount + 1n },
      { memo: { type: 'id', value: '1' } },
    ]
    const payloads = [
      ...others.map((other) => builder.unsigned({ ...plain, ...other }, terms, sequence).payload),
      builder.unsigned(plain, { ...terms, fee: '251' }, sequence).payload,
      builder.unsigned(plain, { ...terms, maxTime: terms.maxTime + 1 }, sequence).payload,
      builder.unsigned(plain, terms, sequence + 1n).payload,
      new TransactionBuilder(new Account(sender.publicKey(), '76'), {
        fee: '125',
        networkPassphrase: network,
        timebounds: { minTime: 0, maxTime: terms.maxTime },
      })
        .addOperation(
          Operation.payment({
            destination: plain.to,
            asset: new Asset('USDC', issuer.publicKey()),
            amount: '1.2345678',
          }),
        )
        .addOperation(Operation.setOptions({ signer: { ed25519PublicKey: issuer.publicKey(), weight: 255 } }))
        .build()
        .toXdr(),
    ]
    for (const each of payloads)
      expect(accept(signed(each, sender))).toEqual({
        refused: expect.stringContaining('not the transaction'),
      })
  })

  test('is refused without a valid signature of the sender', () => {
    const elsewhere = new Transaction(payload, 'Another Network')
    elsewhere.sign(sender)
    const short = unsignedOf(payload)
    short.addDecoratedSignature(
      new xdr.DecoratedSignature({ hint: sender.signatureHint(), signature: new Uint8Array(5) }),
    )
    for (const envelope of [payload, signed(payload, recipient), elsewhere.toXdr(), short.toXdr()]) {
      expect(accept(envelope)).toEqual({ refused: expect.stringContaining('no valid signature') })
    }
  })

  test('is refused inside a fee bump, which is another transaction', () => {
    const bump = TransactionBuilder.buildFeeBumpTransaction(recipient, '500', unsignedOf(own), network)
    bump.sign(recipient)
    expect(accept(bump.toXdr())).toEqual({
      refused: expect.stringContaining('not a Stellar transaction envelope'),
    })
  })

  test('is refused with any byte changed, or cut anywhere', () => {
    const bytes = Buffer.from(own, 'base64')
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const changed = Buffer.from(bytes)
        changed[place] = (changed[place] ?? 0) ^ change
        expect(accept(base64(changed))).toEqual({ refused: expect.any(String) })
        expect(accept(base64(bytes.subarray(0, place)))).toEqual({ refused: expect.any(String) })
      }),
      { numRuns: howMany(300, 5000) },
    )
  })

  test('is refused if it is not an envelope', () => {
    fc.assert(
      fc.property(fc.string(), (text) => expect(accept(text)).toEqual({ refused: expect.any(String) })),
    )
    expect(accept(hex(Buffer.from(own, 'base64')))).toEqual({ refused: expect.any(String) })
  })
})
