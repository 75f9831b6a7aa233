import { describe, expect, test } from '@jest/globals'
import { Account, Keypair, MuxedAccount, Transaction } from '@stellar/stellar-sdk/base'
import fc from 'fast-check'
import { howMany } from '../../../test/support/full.ts'
import type { IfNoTrustline, TransferSpec } from '../action.ts'
import { claimableBalanceId } from './claimableBalanceId.ts'
import { stellarTransferBuilder } from './transferBuilder.ts'

const network = 'A Network of Tests ; November 2026'
const builder = stellarTransferBuilder({ network })
const [sender, recipient, issuer] = [Keypair.random(), Keypair.random(), Keypair.random()]
const terms = { fee: '250', minTime: 0, maxTime: 1_800_000_000, creates: false, claimable: true }
const claimable: IfNoTrustline = { kind: 'claimable' }

const transferOf = (
  code: string,
  amount: bigint,
  memo: TransferSpec['memo'],
  ifNoTrustline?: IfNoTrustline,
): TransferSpec => ({
  kind: 'transfer',
  from: sender.publicKey(),
  to: recipient.publicKey(),
  token: { contract: `${code}:${issuer.publicKey()}`, symbol: 'USDC', decimals: 7 },
  amount,
  memo,
  gasPrice: null,
  gasLimit: null,
  ...(ifNoTrustline && { ifNoTrustline }),
})
const plain = transferOf('USDC', 12_345_678n, { type: 'id', value: '7' }, claimable)

/** XDR by hand, from Stellar-transaction.x and Stellar-ledger-entries.x. */
const uint32 = (value: number) => value.toString(16).padStart(8, '0')
const uint64 = (value: bigint) => value.toString(16).padStart(16, '0')
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const padded = (bytes: Buffer, to: number) => hex(bytes).padEnd(to * 2, '0')
/** A public key, or a muxed account without an id: type 0 and 32 bytes. */
const key = (pair: Keypair) => uint32(0) + hex(pair.rawPublicKey())
const asset = (code: string) =>
  (code.length > 4 ? uint32(2) + padded(Buffer.from(code), 12) : uint32(1) + padded(Buffer.from(code), 4)) +
  key(issuer)
function memoXdr(memo: TransferSpec['memo']): string {
  if (memo === null) return uint32(0)
  if (memo.type === 'id') return uint32(2) + uint64(BigInt(memo.value))
  if (memo.type === 'hash') return uint32(3) + memo.value
  const text = Buffer.from(memo.value)
  return uint32(1) + uint32(text.length) + padded(text, Math.ceil(text.length / 4) * 4)
}
const claimants = [
  uint32(2),
  // ClaimantV0: the recipient, unconditional.
  uint32(0) + key(recipient) + uint32(0),
  // ClaimantV0: the sender, not before seven days after the ledger (a "not", which is there, of a relative
  // time).
  uint32(0) + key(sender) + uint32(3) + uint32(1) + uint32(5) + uint64(604_800n),
].join('')
const envelope = (
  code: string,
  { amount, memo }: TransferSpec,
  fee: number,
  maxTime: number,
  sequence: bigint,
) =>
  [
    uint32(2),
    key(sender) + uint32(fee) + uint64(sequence),
    // PRECOND_TIME
    uint32(1) + uint64(0n) + uint64(BigInt(maxTime)),
    memoXdr(memo),
    // One operation, without its own source: CREATE_CLAIMABLE_BALANCE.
    uint32(1) + uint32(0) + uint32(14),
    asset(code) + uint64(amount) + claimants,
    // ext, and no signatures
    uint32(0) + uint32(0),
  ].join('')

const memos = fc.oneof(
  fc.constant(null),
  fc
    .string()
    .filter((value) => Buffer.byteLength(value) <= 28)
    .map((value) => ({ type: 'text' as const, value })),
  fc.bigInt(0n, 2n ** 64n - 1n).map((id) => ({ type: 'id' as const, value: id.toString() })),
  fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => ({ type: 'hash' as const, value: hex(bytes) })),
)

describe('a transfer that becomes a claimable balance', () => {
  test('is exactly the bytes of one operation: the recipient claims at once, the sender after seven days', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('USDC', 'USDT0', 'ABC', 'TWELVELETTER'),
        fc.bigInt(1n, 2n ** 63n - 1n),
        memos,
        fc.integer({ min: 100, max: 1_000_000 }),
        fc.integer({ min: 1, max: 2 ** 32 }),
        fc.bigInt(1n, 2n ** 62n),
        (code, amount, memo, fee, maxTime, sequence) => {
          const transfer = transferOf(code, amount, memo, claimable)
          const { payload } = builder.unsigned(transfer, { ...terms, fee: fee.toString(), maxTime }, sequence)
          expect(hex(Buffer.from(payload, 'base64'))).toBe(envelope(code, transfer, fee, maxTime, sequence))
        },
      ),
      { numRuns: howMany(150, 3000) },
    )
  })

  test('has the id that the network gives its balance', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 62n), (sequence) => {
        const { payload } = builder.unsigned(plain, terms, sequence)
        expect(claimableBalanceId(sender.publicKey(), sequence)).toBe(
          new Transaction(payload, network).getClaimableBalanceId(0),
        )
      }),
      { numRuns: 50 },
    )
  })

  test('is built only for a transfer that allows it, even where the terms differ', () => {
    const until = new Date(1_900_000_000_000)
    const { ifNoTrustline: _, ...refused } = plain
    for (const transfer of [
      refused,
      { ...plain, ifNoTrustline: { kind: 'wait' as const, until } },
      { ...plain, token: null },
    ])
      expect(() => builder.unsigned(transfer, terms, 77n)).toThrow('does not allow a claimable balance')
    expect(() => builder.unsigned(plain, { ...terms, creates: true }, 77n)).toThrow(
      'not those of a Stellar transaction',
    )
    const to = new MuxedAccount(new Account(recipient.publicKey(), '0'), '5').accountId()
    expect(() => builder.unsigned({ ...plain, to }, terms, 77n)).toThrow(Error)
  })

  test('is a payment while the recipient can hold the token', () => {
    const { claimable: _, ...payment } = terms
    const { ifNoTrustline: __, ...usual } = plain
    expect(builder.unsigned(plain, payment, 77n)).toEqual(builder.unsigned(usual, payment, 77n))
  })
})
