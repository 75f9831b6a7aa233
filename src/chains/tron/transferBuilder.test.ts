import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { TronWeb, type Types, utils } from 'tronweb'
import { Secret } from '../../platform/secrets.ts'
import type { TransferSpec } from '../action.ts'
import type { Terms } from '../sending.ts'
import { tronTransferBuilder } from './transferBuilder.ts'

const keys = [1, 2].map((number) => String(number).padStart(64, '0'))
const [key = '', otherKey = ''] = keys
const addressOf = (privateKey: string) =>
  utils.address.toHex(utils.address.fromPrivateKey(privateKey) || '').toLowerCase()
const from = addressOf(key)
const secret = new Secret(key)
const token = { contract: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', symbol: 'USDT', decimals: 6 }
const builder = tronTransferBuilder()

const intentOf = (more: Partial<TransferSpec> = {}): TransferSpec => ({
  kind: 'transfer',
  from,
  to: addressOf(otherKey),
  token: null,
  amount: 5n,
  memo: null,
  gasPrice: null,
  gasLimit: null,
  ...more,
})
const termsOf = (more: Terms = {}): Terms => ({
  refBlockBytes: '00ff',
  refBlockHash: '0011223344556677',
  timestamp: 1_700_000_000_000,
  expiration: 1_700_000_300_000,
  feeLimit: '7800000',
  fee: '8145000',
  besides: '1100000',
  ...more,
})

const hexes = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((given) => Buffer.from(given).toString('hex'))
const times = fc.integer({ min: 1, max: 4_000_000_000_000 })
const anyTerms = fc
  .record({
    refBlockBytes: hexes(2),
    refBlockHash: hexes(8),
    timestamp: times,
    expiration: times,
    feeLimit: fc.integer({ min: 1, max: 15_000_000_000 }),
  })
  .map(({ feeLimit, ...more }) => termsOf({ ...more, feeLimit: String(feeLimit) }))
const recipients = hexes(20).map((hex) => `41${hex}`)
const trx = fc
  .record({ to: recipients, amount: fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) }) })
  .map(intentOf)
const trc20 = fc
  .record({ to: recipients, amount: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), contract: recipients })
  .map(({ contract, ...more }) => intentOf({ ...more, token: { ...token, contract } }))

type Raw = {
  contract: [{ type: string; parameter: { value: Record<string, unknown> } }]
  fee_limit?: number
} & Record<string, unknown>
const payloadOf = (transfer: TransferSpec, terms: Terms) =>
  JSON.parse(builder.unsigned(transfer, terms, null).payload) as {
    txID: string
    raw_data: Raw
    raw_data_hex: string
    visible: boolean
  }

describe('a transaction to be signed', () => {
  test('decodes in tronweb to the transfer, for any transfer and terms', () => {
    fc.assert(
      fc.property(fc.oneof(trx, trc20), anyTerms, (transfer, terms) => {
        const { raw_data_hex } = payloadOf(transfer, terms)
        const type = transfer.token ? 'TriggerSmartContract' : 'TransferContract'
        const read = JSON.parse(
          JSON.stringify(utils.deserializeTx.deserializeTransaction(type, raw_data_hex)).toLowerCase(),
        ) as Raw
        const { value } = read.contract[0].parameter
        const { refBlockBytes, refBlockHash, timestamp, expiration, feeLimit } = terms
        expect(read).toMatchObject({
          ref_block_bytes: refBlockBytes,
          ref_block_hash: refBlockHash,
          timestamp,
          expiration,
        })
        expect(read.fee_limit ?? 0).toBe(transfer.token ? Number(feeLimit) : 0)
        expect(value.owner_address).toBe(from)
        if (!transfer.token)
          expect(value).toMatchObject({ to_address: transfer.to, amount: Number(transfer.amount) })
        else {
          const { to, amount } = utils.abi.decodeParams(
            ['to', 'amount'],
            ['address', 'uint256'],
            `0x${value.data}`,
            true,
          ) as Record<string, string>
          expect(value.contract_address).toBe(transfer.token.contract)
          expect(String(value.data).slice(0, 8)).toBe(
            utils.ethersUtils.id('transfer(address,uint256)').slice(2, 10),
          )
          expect([to?.toLowerCase(), BigInt(amount ?? 0)]).toEqual([transfer.to, transfer.amount])
        }
      }),
      { numRuns: 100 },
    )
  })

  test("passes tronweb's check, and its id is what is signed", () => {
    fc.assert(
      fc.property(fc.oneof(trx, trc20), anyTerms, (transfer, terms) => {
        const payload = payloadOf(transfer, terms)
        expect(utils.transaction.txCheck(payload)).toBe(true)
        expect(payload.visible).toBe(false)
        const { signing, encoding } = builder.unsigned(transfer, terms, null)
        expect([signing, encoding]).toEqual([payload.txID, 'json'])
      }),
      { numRuns: 50 },
    )
  })

  test('is deterministic, and differs with any other transfer or terms', () => {
    const id = (transfer: Partial<TransferSpec>, terms: Terms = {}) =>
      builder.unsigned(intentOf(transfer), termsOf(terms), null).signing
    expect(id({})).toBe(id({}))
    const others = [
      id({}),
      id({ amount: 6n }),
      id({ to: token.contract }),
      id({ token }),
      id({ token }, { feeLimit: '1' }),
      id({}, { timestamp: 1_700_000_000_001 }),
      id({}, { expiration: 1_700_000_300_001 }),
      id({}, { refBlockBytes: '0100' }),
      id({}, { refBlockHash: '0011223344556678' }),
    ]
    expect(new Set(others).size).toBe(others.length)
  })

  test.each<[string, Partial<TransferSpec>]>([
    ['zero', { amount: 0n }],
    ['a negative amount', { amount: -1n }],
    ['more TRX than JSON keeps exact', { amount: 2n ** 53n }],
    ['more of a token than a word holds', { amount: 2n ** 256n, token }],
  ])('of %s is refused', (_what, transfer) => {
    expect(() => builder.unsigned(intentOf(transfer), termsOf(), null)).toThrow(RangeError)
  })

  test.each<[string, Terms]>([
    ['block', { refBlockBytes: '00FF00' }],
    ['hash', { refBlockHash: null }],
    ['time', { expiration: '1700000300000' }],
    ['limit', { feeLimit: '-1' }],
    ['fee', { fee: 5 }],
  ])('on terms without a valid %s is refused', (_what, terms) => {
    expect(() => builder.unsigned(intentOf(), termsOf(terms), null)).toThrow(TypeError)
  })
})

describe('a signed transaction', () => {
  test('has the signature and the bytes of tronweb, and expires at its expiration', () => {
    fc.assert(
      fc.property(fc.oneof(trx, trc20), anyTerms, (transfer, terms) => {
        const { txId, bytes, expiry } = builder.sign(transfer, terms, null, [secret])
        const payload = payloadOf(transfer, terms)
        const theirs = utils.crypto.signTransaction(key, { ...payload }) as unknown as { signature: [string] }
        const message = utils.transaction.txJsonToPb(payload) as {
          addSignature(bytes: Uint8Array): void
          serializeBinary(): Uint8Array
        }
        message.addSignature(Buffer.from(theirs.signature[0], 'hex'))
        expect(Buffer.from(bytes).toString('hex')).toBe(
          Buffer.from(message.serializeBinary()).toString('hex'),
        )
        expect(txId).toBe(payload.txID)
        expect(expiry).toEqual({ time: new Date(Number(terms.expiration)) })
      }),
      { numRuns: 30 },
    )
  })

  test('is made only with the sender’s key, and errors do not reveal keys', () => {
    for (const wrong of [otherKey, 'abc', '0'.repeat(64)]) {
      expect(() => builder.sign(intentOf(), termsOf(), null, [new Secret(wrong)])).toThrow(
        'the private key is not that of the sender',
      )
    }
  })

  test('may cost the fee of its terms and the new account', () => {
    expect(builder.maxFee(termsOf())).toBe(9_245_000n)
    // The signed limit counts, even if the stated fee is lower.
    expect(builder.maxFee({ ...termsOf(), fee: '0', besides: '0', feeLimit: '900000000000' })).toBe(
      900_000_000_000n,
    )
  })
})

describe('an externally signed transaction', () => {
  const signedBy = (privateKey: string, payload = payloadOf(intentOf(), termsOf())) =>
    utils.crypto.signTransaction(privateKey, structuredClone(payload)) as unknown as {
      signature: string[]
      raw_data_hex: string
      raw_data: Raw
    }
  const accept = (payload: unknown) =>
    builder.accept(
      intentOf(),
      termsOf(),
      null,
      typeof payload === 'string' ? payload : JSON.stringify(payload),
    )

  test('signed by tronweb from the payload is accepted, and equals one that we signed', async () => {
    const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1' })
    const theirs = await tronWeb.trx.sign(
      payloadOf(intentOf(), termsOf()) as unknown as Types.Transaction,
      key,
    )
    expect(accept(theirs)).toEqual(builder.sign(intentOf(), termsOf(), null, [secret]))
  })

  test('may have 0x, capitals, and a recovery bit of 0 or 1', () => {
    const { signature, ...more } = signedBy(key)
    const [body = ''] = signature
    const bit = (Number.parseInt(body.slice(128), 16) - 27).toString().padStart(2, '0')
    for (const form of [`0x${body}`, body.toUpperCase(), body.slice(0, 128) + bit]) {
      expect(accept({ ...more, signature: [form] })).toEqual(
        builder.sign(intentOf(), termsOf(), null, [secret]),
      )
    }
  })

  test.each<[string, () => unknown, RegExp]>([
    [
      'of another amount',
      () => signedBy(key, payloadOf(intentOf({ amount: 6n }), termsOf())),
      /differs from the transaction/,
    ],
    [
      'to another recipient',
      () => signedBy(key, payloadOf(intentOf({ to: token.contract }), termsOf())),
      /differs from the transaction/,
    ],
    [
      'of a token',
      () => signedBy(key, payloadOf(intentOf({ token }), termsOf())),
      /differs from the transaction/,
    ],
    [
      'on other terms',
      () => signedBy(key, payloadOf(intentOf(), termsOf({ expiration: 1_700_086_000_000 }))),
      /differs from the transaction/,
    ],
    ['signed by another key', () => signedBy(otherKey), /not that of the sender/],
    ['unsigned', () => payloadOf(intentOf(), termsOf()), /one signature/],
    [
      'signed by two keys',
      () => ({ ...signedBy(key), signature: [...signedBy(key).signature, ...signedBy(otherKey).signature] }),
      /one signature/,
    ],
    ['with half a signature', () => ({ ...signedBy(key), signature: ['ab'.repeat(32)] }), /65 bytes/],
    [
      'with a signature of zeros',
      () => ({ ...signedBy(key), signature: ['00'.repeat(65)] }),
      /not that of the sender/,
    ],
    ['with a signature that is not text', () => ({ ...signedBy(key), signature: [5] }), /65 bytes/],
    ['without bytes', () => ({ signature: signedBy(key).signature }), /raw_data_hex/],
    ['that is null', () => 'null', /raw_data_hex/],
    ['that is not JSON', () => 'abc', /not JSON/],
  ])('%s is refused with a reason', (_what, payload, words) => {
    expect(accept(payload())).toEqual({ refused: expect.stringMatching(words) })
  })

  test('with any one byte of its signature changed is refused', () => {
    const { signature, ...more } = signedBy(key)
    const bytes = Buffer.from(signature[0] ?? '', 'hex')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 63 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ change
        expect(accept({ ...more, signature: [changed.toString('hex')] })).toHaveProperty('refused')
      }),
      { numRuns: 50 },
    )
  })
})
