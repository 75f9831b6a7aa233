import { describe, expect, test } from '@jest/globals'
import {
  Account,
  Asset,
  Claimant,
  Keypair,
  MuxedAccount,
  Operation,
  StrKey,
  Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base'
import fc from 'fast-check'
import { formatUnits } from '../../money/amount.ts'
import { Secret } from '../../platform/secrets.ts'
import type { Call, CallsSpec } from '../action.ts'
import { stellarTransferBuilder } from './transferBuilder.ts'

const network = 'A Network of Tests ; November 2026'
const builder = stellarTransferBuilder({ network })
const [treasury, owner, third] = [1, 2, 3].map((byte) =>
  Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(byte)),
) as [Keypair, Keypair, Keypair]
const usdc = new Asset('USDC', third.publicKey())
const sequence = 77n
const secretOf = (pair: Keypair) => new Secret(pair.secret())
const termsOf = (operations: number, perOperation = 250) => ({
  fee: String(operations * perOperation),
  minTime: 0,
  maxTime: 1_800_000_000,
  creates: false,
})

/** A call with the account whose operation it is; by default the treasury. */
const callOf = (operation: xdr.Operation, to = treasury.publicKey(), more: Partial<Call> = {}): Call => ({
  to,
  data: operation.toXdr('base64'),
  value: 0n,
  accounts: [],
  ...more,
})
const callsOf = (calls: readonly Call[], cosigners: readonly Keypair[] = []): CallsSpec => ({
  kind: 'calls',
  from: treasury.publicKey(),
  calls,
  cosigners: cosigners.map((each) => each.publicKey()),
  spends: [],
  receives: [],
  gasPrice: null,
  gasLimit: null,
})
const payment = (source?: string) =>
  Operation.payment({
    destination: third.publicKey(),
    asset: Asset.native(),
    amount: '1',
    ...(source === undefined ? {} : { source }),
  })

const amounts = fc.bigInt(1n, 2n ** 63n - 1n).map((amount) => formatUnits(amount, 7))
const destination = third.publicKey()
const sources = fc.constantFrom(undefined, treasury.publicKey(), owner.publicKey())
/** Operations of every kind that is signed, each with its own source or without. */
const operations: fc.Arbitrary<{ source: string | undefined; operation: xdr.Operation }> = fc
  .record({
    source: sources,
    kind: fc.constantFrom(
      'createAccount',
      'payment',
      'send',
      'receive',
      'trust',
      'create',
      'claim',
      'begin',
      'end',
    ),
    amount: amounts,
  })
  .map(({ source, kind, amount }) => {
    const by = source === undefined ? {} : { source }
    const made: Record<typeof kind, () => xdr.Operation> = {
      createAccount: () => Operation.createAccount({ destination, startingBalance: amount, ...by }),
      payment: () => Operation.payment({ destination, asset: usdc, amount, ...by }),
      send: () =>
        Operation.pathPaymentStrictSend({
          sendAsset: Asset.native(),
          sendAmount: amount,
          destination,
          destAsset: usdc,
          destMin: '1',
          ...by,
        }),
      receive: () =>
        Operation.pathPaymentStrictReceive({
          sendAsset: usdc,
          sendMax: amount,
          destination,
          destAsset: Asset.native(),
          destAmount: '1',
          ...by,
        }),
      trust: () => Operation.changeTrust({ asset: usdc, limit: amount, ...by }),
      create: () =>
        Operation.createClaimableBalance({
          asset: usdc,
          amount,
          claimants: [new Claimant(destination)],
          ...by,
        }),
      claim: () => Operation.claimClaimableBalance({ balanceId: `00000000${'ab'.repeat(32)}`, ...by }),
      begin: () => Operation.beginSponsoringFutureReserves({ sponsoredId: destination, ...by }),
      end: () => Operation.endSponsoringFutureReserves(by),
    }
    return { source, operation: made[kind]() }
  })

describe('a signed batch', () => {
  test('is the transaction that the SDK builds of its operations in order, signed by the sender and each cosigner', () => {
    fc.assert(
      fc.property(
        fc.array(operations, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 100, max: 1_000_000 }),
        (made, perOperation) => {
          const cosigners = made.some(({ source }) => source === owner.publicKey()) ? [owner] : []
          const action = callsOf(
            made.map(({ source, operation }) => callOf(operation, source)),
            cosigners,
          )
          const terms = termsOf(made.length, perOperation)
          const wanted = new TransactionBuilder(
            new Account(treasury.publicKey(), (sequence - 1n).toString()),
            {
              fee: String(perOperation),
              networkPassphrase: network,
              timebounds: { minTime: 0, maxTime: terms.maxTime },
            },
          )
          for (const { operation } of made) wanted.addOperation(operation)
          const expected = wanted.build()
          expect(builder.unsigned(action, terms, sequence)).toMatchObject({
            payload: expected.toXdr(),
            encoding: 'base64',
          })
          const signers = [treasury, ...cosigners]
          const { bytes, txId } = builder.sign(action, terms, sequence, signers.map(secretOf))
          const read = new Transaction(Buffer.from(bytes).toString('base64'), network)
          expect([read.source, read.fee, read.sequence, read.operations]).toEqual([
            treasury.publicKey(),
            String(made.length * perOperation),
            '77',
            expected.operations,
          ])
          expect(txId).toBe(Buffer.from(expected.hash()).toString('hex'))
          expect(read.signatures).toHaveLength(signers.length)
          for (const signer of signers)
            expect(
              read.signatures.filter(({ signature }) => signer.verify(expected.hash(), signature.value)),
            ).toHaveLength(1)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('may have operations of a muxed address of a signer', () => {
    const muxed = new MuxedAccount(new Account(owner.publicKey(), '0'), '5').accountId()
    const action = callsOf([callOf(payment(muxed), muxed)], [owner])
    const { bytes } = builder.sign(action, termsOf(1), sequence, [treasury, owner].map(secretOf))
    expect(new Transaction(Buffer.from(bytes).toString('base64'), network).operations).toMatchObject([
      { type: 'payment', source: muxed },
    ])
  })

  test('costs at most the bid of its terms, which is that of its operations', () => {
    expect(builder.maxFee(termsOf(3))).toBe(750n)
    expect(() =>
      builder.unsigned(
        callsOf([callOf(payment()), callOf(payment())]),
        { ...termsOf(2), fee: '501' },
        sequence,
      ),
    ).toThrow('another number of operations')
    expect(() =>
      builder.unsigned(callsOf([callOf(payment())]), { ...termsOf(1), creates: true }, sequence),
    ).toThrow('terms are of a transfer')
    expect(() => builder.unsigned(callsOf([callOf(payment())]), termsOf(1), null)).toThrow('needs a sequence')
  })

  test('is signed only with the keys of all its signers, in their order, and errors do not reveal keys', () => {
    const action = callsOf([callOf(payment(owner.publicKey()), owner.publicKey())], [owner])
    const sign =
      (...pairs: Keypair[]) =>
      () =>
        builder.sign(action, termsOf(1), sequence, pairs.map(secretOf))
    expect(sign(treasury)).toThrow('signed with 2 keys, not 1')
    expect(sign(treasury, owner, third)).toThrow('signed with 2 keys, not 3')
    expect(sign(treasury, third)).toThrow(new Error(`the key is not that of ${owner.publicKey()}`))
    expect(sign(owner, treasury)).toThrow(new Error(`the key is not that of ${treasury.publicKey()}`))
  })
})

describe('calls are refused', () => {
  const self = treasury.publicKey()
  const poolId = 'ab'.repeat(32)
  const price = { n: 1, d: 1 }
  const unsigned: [string, xdr.Operation][] = [
    ['setOptions', Operation.setOptions({ signer: { ed25519PublicKey: destination, weight: 255 } })],
    ['accountMerge', Operation.accountMerge({ destination })],
    ['bumpSequence', Operation.bumpSequence({ bumpTo: '99999' })],
    ['manageData', Operation.manageData({ name: 'a', value: 'b' })],
    [
      'manageSellOffer',
      Operation.manageSellOffer({ selling: usdc, buying: Asset.native(), amount: '1', price: '1' }),
    ],
    [
      'manageBuyOffer',
      Operation.manageBuyOffer({ selling: usdc, buying: Asset.native(), buyAmount: '1', price: '1' }),
    ],
    [
      'createPassiveSellOffer',
      Operation.createPassiveSellOffer({ selling: usdc, buying: Asset.native(), amount: '1', price: '1' }),
    ],
    [
      'liquidityPoolDeposit',
      Operation.liquidityPoolDeposit({
        liquidityPoolId: poolId,
        maxAmountA: '1',
        maxAmountB: '1',
        minPrice: price,
        maxPrice: price,
      }),
    ],
    [
      'liquidityPoolWithdraw',
      Operation.liquidityPoolWithdraw({
        liquidityPoolId: poolId,
        amount: '1',
        minAmountA: '1',
        minAmountB: '1',
      }),
    ],
    ['revokeSponsorship', Operation.revokeAccountSponsorship({ account: destination })],
    [
      'setTrustLineFlags',
      Operation.setTrustLineFlags({ trustor: destination, asset: usdc, flags: { authorized: true } }),
    ],
    ['clawback', Operation.clawback({ asset: usdc, from: destination, amount: '1' })],
    ['inflation', Operation.inflation()],
    [
      'invokeHostFunction',
      Operation.invokeContractFunction({
        contract: StrKey.encodeContract(new Uint8Array(32)),
        function: 'f',
        args: [],
      }),
    ],
    ['extendFootprintTtl', Operation.extendFootprintTtl({ extendTo: 5 })],
  ]
  test.each<[string, CallsSpec, RegExp]>([
    ['without a call', callsOf([]), /no call/],
    [
      'with more than 100 operations',
      callsOf(Array.from({ length: 101 }, () => callOf(payment()))),
      /at most 100 operations, not 101/,
    ],
    [
      'if an operation is of an account that does not sign',
      callsOf([callOf(payment(destination), destination)]),
      /need a signature of G/,
    ],
    [
      'with a cosigner without an operation',
      callsOf([callOf(payment())], [owner]),
      /need no signature of the cosigner/,
    ],
    [
      'with a cosigner named twice',
      callsOf([callOf(payment(owner.publicKey()), owner.publicKey())], [owner, owner]),
      /need no signature of the cosigner/,
    ],
    [
      'with the sender as its own cosigner',
      callsOf([callOf(payment())], [treasury]),
      /need no signature of the cosigner/,
    ],
    [
      'with more than 20 signers',
      callsOf(
        [callOf(payment())],
        Array.from({ length: 20 }, () => Keypair.random()),
      ),
      /at most 20 signatures, not 21/,
    ],
    [
      'that name another account than the operation’s',
      callsOf([callOf(payment(), owner.publicKey())]),
      /its call names/,
    ],
    ['that send lumens along', callsOf([callOf(payment(), self, { value: 1n })]), /use an operation/],
    [
      'with accounts',
      callsOf([callOf(payment(), self, { accounts: [{ address: self, signer: true, writable: true }] })]),
      /no accounts/,
    ],
    ['that are not XDR', callsOf([callOf(payment(), self, { data: 'AQID' })]), /not one operation/],
    [
      'with bytes after the operation',
      callsOf([
        callOf(payment(), self, {
          data: Buffer.concat([payment().toXdr(), Buffer.alloc(4)]).toString('base64'),
        }),
      ]),
      /not one operation/,
    ],
    [
      'with an operation in another form of base64',
      callsOf([callOf(payment(), self, { data: `${payment().toXdr('base64')}\n` })]),
      /not one operation/,
    ],
    ...unsigned.map(([type, operation]): [string, CallsSpec, RegExp] => [
      `with ${type}`,
      callsOf([callOf(operation)]),
      new RegExp(`${type} are not signed`),
    ]),
  ])('%s, before anything is signed', (_what, action, message) => {
    const pairs = [treasury, owner, owner, ...Array.from({ length: 18 }, () => owner)].slice(
      0,
      1 + action.cosigners.length,
    )
    const terms = termsOf(action.calls.length || 1)
    const refusal = expect.objectContaining({
      name: 'ActionRefusedError',
      reason: 'unsupported_action',
      message: expect.stringMatching(message),
    })
    expect(() => builder.unsigned(action, terms, sequence)).toThrow(refusal)
    expect(() => builder.sign(action, terms, sequence, pairs.map(secretOf))).toThrow(Error)
  })

  test('above 100 operations, and not below', () => {
    const { payload } = builder.unsigned(
      callsOf(Array.from({ length: 100 }, () => callOf(payment()))),
      termsOf(100),
      sequence,
    )
    expect(new Transaction(payload, network).operations).toHaveLength(100)
  })

  test('signed elsewhere if they have cosigners', () => {
    const action = callsOf([callOf(payment(owner.publicKey()), owner.publicKey())], [owner])
    const signed = builder.sign(action, termsOf(1), sequence, [treasury, owner].map(secretOf))
    const payload = Buffer.from(signed.bytes).toString('base64')
    expect(() => builder.accept(action, termsOf(1), sequence, payload)).toThrow(
      expect.objectContaining({ reason: 'unsupported_action' }),
    )
  })
})
