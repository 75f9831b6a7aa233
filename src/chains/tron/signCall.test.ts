import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { TronWeb, type Types, utils } from 'tronweb'
import { Secret } from '../../platform/secrets.ts'
import type { Call, CallsSpec } from '../action.ts'
import { tronTransferBuilder } from './transferBuilder.ts'

const builder = tronTransferBuilder()
const key = '1'.padStart(64, '0')
const from = utils.address.toHex(utils.address.fromPrivateKey(key) || '').toLowerCase()
const contract = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'
const terms = {
  refBlockBytes: '00ff',
  refBlockHash: '0011223344556677',
  timestamp: 1_700_000_000_000,
  expiration: 1_700_000_300_000,
  feeLimit: '7800000',
  fee: '8145000',
  besides: '0',
}
const callOf = (more: Partial<Call> = {}): Call => ({
  to: contract,
  data: 'a9059cbb',
  value: 0n,
  accounts: [],
  ...more,
})
const actionOf = (calls: readonly Call[], more: Partial<CallsSpec> = {}): CallsSpec => ({
  kind: 'calls',
  from,
  calls,
  cosigners: [],
  spends: [],
  receives: [],
  gasPrice: null,
  gasLimit: null,
  ...more,
})
const hexes = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes).toString('hex'))
const anyCall = fc
  .record({
    to: hexes(20, 20).map((hex) => `41${hex}`),
    data: hexes(0, 300),
    value: fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }),
  })
  .map(callOf)

type Payload = Types.Transaction & { raw_data_hex: string; txID: string }
const payloadOf = (action: CallsSpec) => JSON.parse(builder.unsigned(action, terms, null).payload) as Payload

describe('a call', () => {
  test('decodes in tronweb to its contract, data and value, with the fee limit of the terms', () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        const payload = payloadOf(actionOf([call]))
        expect(utils.transaction.txCheck(payload)).toBe(true)
        const read = utils.deserializeTx.deserializeTransaction('TriggerSmartContract', payload.raw_data_hex)
        const { owner_address, contract_address, data, call_value } = (
          read.contract[0] ?? { parameter: { value: {} } }
        ).parameter.value as Record<string, unknown>
        expect(
          [owner_address, contract_address, data, call_value].map((each) => String(each).toLowerCase()),
        ).toEqual([from, call.to, call.data, String(call.value)])
        expect([read.fee_limit, read.expiration, read.ref_block_bytes]).toEqual([
          7_800_000,
          terms.expiration,
          '00FF',
        ])
      }),
      { numRuns: 60 },
    )
  })

  test('has the signature and the bytes of tronweb', async () => {
    const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1' })
    const action = actionOf([callOf({ data: 'a9059cbb00ff', value: 5n })])
    const theirs = await tronWeb.trx.sign(payloadOf(action), key)
    const message = utils.transaction.txJsonToPb(theirs) as {
      addSignature(bytes: Uint8Array): void
      serializeBinary(): Uint8Array
    }
    message.addSignature(Buffer.from(theirs.signature[0] ?? '', 'hex'))
    const { bytes, txId } = builder.sign(action, terms, null, [new Secret(key)])
    expect(Buffer.from(bytes).toString('hex')).toBe(Buffer.from(message.serializeBinary()).toString('hex'))
    expect(txId).toBe(theirs.txID)
    expect(utils.crypto.ecRecover(txId, theirs.signature[0] ?? '').toLowerCase()).toBe(from)
    expect(builder.accept(action, terms, null, JSON.stringify(theirs))).toEqual(
      builder.sign(action, terms, null, [new Secret(key)]),
    )
  })

  test('may cost the fee of its terms', () => {
    expect(builder.maxFee(terms)).toBe(8_145_000n)
  })
})

describe('an action is refused', () => {
  test.each<[string, CallsSpec, RegExp]>([
    ['without a call', actionOf([]), /one call, not 0/],
    ['with a batch of calls', actionOf([callOf(), callOf()]), /one call, not 2/],
    ['with cosigners', actionOf([callOf()], { cosigners: [contract] }), /signed by its sender alone/],
    [
      'with accounts',
      actionOf([callOf({ accounts: [{ address: contract, signer: false, writable: false }] })]),
      /no accounts/,
    ],
    ['with data with 0x', actionOf([callOf({ data: '0xa9059cbb' })]), /not lower-case hex/],
    ['with half a byte of data', actionOf([callOf({ data: 'a9059cb' })]), /not lower-case hex/],
    ['with more value than JSON keeps exact', actionOf([callOf({ value: 2n ** 53n })]), /value of a call/],
    ['with a negative value', actionOf([callOf({ value: -1n })]), /value of a call/],
  ])('%s, before anything is signed', (_what, action, message) => {
    const refusal = expect.objectContaining({
      name: 'ActionRefusedError',
      reason: 'unsupported_action',
      message: expect.stringMatching(message),
    })
    const keys = [key, ...action.cosigners.map(() => key)].map((each) => new Secret(each))
    expect(() => builder.unsigned(action, terms, null)).toThrow(refusal)
    expect(() => builder.sign(action, terms, null, keys)).toThrow(refusal)
    expect(() => builder.accept(action, terms, null, '{}')).toThrow(refusal)
  })

  test('with more than one key, or another key than the sender’s', () => {
    const sign =
      (...keys: string[]) =>
      () =>
        builder.sign(
          actionOf([callOf()]),
          terms,
          null,
          keys.map((each) => new Secret(each)),
        )
    expect(sign(key, key)).toThrow('signed with one key')
    expect(sign('2'.padStart(64, '0'))).toThrow('not that of the sender')
  })
})
