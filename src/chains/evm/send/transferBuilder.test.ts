import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  bytesToHex,
  decodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { addressOf, intentOf, keyOf } from '../../../../test/support/evmIntents.ts'
import { Secret } from '../../../platform/secrets.ts'
import type { CallsSpec, TransferSpec } from '../../action.ts'
import { evmTransferBuilder } from './transferBuilder.ts'

const builder = evmTransferBuilder({ name: 'polygon', network: '137' })
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const word = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => bytesToHex(bytes))
const someTerms = fc
  .record({ gas: word(64), min: word(100), more: word(100), l1Fee: word(90) })
  .map(({ gas, min, more, l1Fee }) => ({
    gas: String(gas),
    maxFeePerGas: String(min + more),
    maxPriorityFeePerGas: String(min),
    l1Fee: String(l1Fee),
  }))
const inputs = fc.record({
  key: fc
    .bigInt({ min: 1n, max: order - 1n })
    .map((secret): Hex => `0x${secret.toString(16).padStart(64, '0')}`),
  to: address,
  token: fc.option(address.map((contract) => ({ contract, symbol: 'USDC', decimals: 6 }))),
  amount: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
  terms: someTerms,
  nonce: fc.bigInt({ min: 0n, max: 2n ** 48n }),
})

const transfer = intentOf({ from: addressOf(keyOf(7)), to: addressOf(keyOf(8)), amount: 1_500_000n })
const usdc: TransferSpec = {
  ...transfer,
  token: { contract: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', symbol: 'USDC', decimals: 6 },
}
const terms = { gas: '65000', maxFeePerGas: '90000000000', maxPriorityFeePerGas: '30000000000', l1Fee: '0' }

describe('the transaction of a transfer', () => {
  test('parses back to its transfer, and is signed, as in viem', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async ({ key, to, token, amount, terms, nonce }) => {
        const requested = intentOf({ from: addressOf(key), to, token, amount })
        const unsigned = builder.unsigned(requested, terms, nonce)
        const parsed = parseTransaction(unsigned.payload as `0x02${string}`)
        expect(parsed).toMatchObject({ type: 'eip1559', chainId: 137 })
        expect([parsed.nonce ?? 0, parsed.gas ?? 0n].map(BigInt)).toEqual([nonce, BigInt(terms.gas)])
        expect([parsed.maxFeePerGas ?? 0n, parsed.maxPriorityFeePerGas ?? 0n]).toEqual([
          BigInt(terms.maxFeePerGas),
          BigInt(terms.maxPriorityFeePerGas),
        ])
        if (token) {
          expect(parsed.to).toBe(token.contract)
          expect(parsed.value ?? 0n).toBe(0n)
          const call = decodeFunctionData({ abi: erc20Abi, data: parsed.data ?? '0x' })
          expect([call.functionName, String(call.args?.[0]).toLowerCase(), call.args?.[1]]).toEqual([
            'transfer',
            to,
            amount,
          ])
        } else expect([parsed.to, parsed.value, parsed.data]).toEqual([to, amount, undefined])

        const signed = builder.sign(requested, terms, nonce, [new Secret(key)])
        const raw = bytesToHex(signed.bytes)
        expect(raw).toBe(
          await privateKeyToAccount(key).signTransaction(parsed as TransactionSerializableEIP1559),
        )
        expect(signed).toMatchObject({ txId: keccak256(raw), expiry: null })
        expect(
          (await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toLowerCase(),
        ).toBe(requested.from)
        expect(unsigned).toMatchObject({ encoding: 'hex', signing: keccak256(unsigned.payload as Hex) })
        expect(builder.accept(requested, terms, nonce, raw)).toEqual(signed)
      }),
      { numRuns: 40 },
    )
  })

  test('is not signed with the key of another address, and the error does not show the key', () => {
    for (const key of [keyOf(9), 'nonsense']) {
      const sign = () => builder.sign(transfer, terms, 3n, [new Secret(key)])
      expect(sign).toThrow('the private key does not belong to the sender')
      expect(() => sign()).not.toThrow(key)
    }
  })

  test.each([
    ['no nonce', terms, null],
    ['a nonce below zero', terms, -1n],
    ['a nonce above the largest safe integer', terms, 2n ** 53n],
    ['terms of another family', { priority: 5 }, 1n],
    ['terms that are not decimal numbers', { ...terms, gas: '0x5' }, 1n],
  ])('is not built with %s', (_what, given, nonce) => {
    expect(() => builder.unsigned(transfer, given, nonce)).toThrow(
      /^(the nonce is missing or out of range|the terms have no valid gas)$/,
    )
  })

  test("costs at most its gas limit at the maximum price, plus the rollup's data fee", () => {
    expect(builder.maxFee({ ...terms, l1Fee: '12' })).toBe(65_000n * 90_000_000_000n + 12n)
  })

  test('has only its two fees bumped, by half and rounded up', () => {
    const odd = { gas: '21000', maxFeePerGas: '7', maxPriorityFeePerGas: '1', l1Fee: '5' }
    expect(builder.bumpFee?.(odd)).toEqual({
      gas: '21000',
      maxFeePerGas: '11',
      maxPriorityFeePerGas: '2',
      l1Fee: '5',
    })
    expect(builder.unsigned(transfer, builder.bumpFee?.(terms) ?? terms, 3n).payload).not.toBe(
      builder.unsigned(transfer, terms, 3n).payload,
    )
  })
})

describe('the transaction of a call', () => {
  const call = { to: usdc.token?.contract ?? '', data: '0x095ea7b3', value: 7n, accounts: [] }
  const calling: CallsSpec = {
    kind: 'calls',
    from: addressOf(keyOf(7)),
    calls: [call],
    cosigners: [],
    spends: [],
    receives: [],
    gasPrice: null,
    gasLimit: null,
  }

  test('parses back to its call, is signed by its sender, and is accepted as signed elsewhere', async () => {
    const signed = builder.sign(calling, terms, 3n, [new Secret(keyOf(7))])
    const raw = bytesToHex(signed.bytes) as `0x02${string}`
    expect(parseTransaction(raw)).toMatchObject({
      to: call.to,
      data: call.data,
      value: 7n,
      nonce: 3,
      gas: 65_000n,
    })
    expect((await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()).toBe(calling.from)
    expect(builder.accept(calling, terms, 3n, raw)).toEqual(signed)
    expect(builder.accept({ ...calling, calls: [{ ...call, value: 8n }] }, terms, 3n, raw)).toHaveProperty(
      'refused',
    )
  })

  test.each<[string, Partial<CallsSpec>]>([
    ['two calls', { calls: [call, call] }],
    ['no call', { calls: [] }],
    ['a cosigner', { cosigners: [addressOf(keyOf(8))] }],
    [
      'accounts of another family',
      { calls: [{ ...call, accounts: [{ address: 'a', signer: true, writable: true }] }] },
    ],
    ['data that is not hex', { calls: [{ ...call, data: 'AAA=' }] }],
    ['an address that is not in normal form', { calls: [{ ...call, to: 'T123' }] }],
  ])('is refused with %s, never built in part', (_what, change) => {
    for (const build of [
      () => builder.unsigned({ ...calling, ...change }, terms, 3n),
      () => builder.sign({ ...calling, ...change }, terms, 3n, [new Secret(keyOf(7))]),
    ])
      expect(build).toThrow(
        expect.objectContaining({ name: 'ActionRefusedError', reason: 'unsupported_action' }),
      )
  })

  test('is not signed without its key, with two keys, or with the key of another address', () => {
    for (const keys of [[], [keyOf(7), keyOf(8)], [keyOf(8)]])
      expect(() =>
        builder.sign(
          calling,
          terms,
          3n,
          keys.map((key) => new Secret(key)),
        ),
      ).toThrow(/key/)
  })
})

describe('a transaction that was signed elsewhere', () => {
  const key = keyOf(7)
  const ours = parseTransaction(
    builder.unsigned(usdc, terms, 3n).payload as `0x02${string}`,
  ) as TransactionSerializableEIP1559
  const accept = (payload: string) => builder.accept(usdc, terms, 3n, payload)
  const signedAs = (change: Partial<TransactionSerializableEIP1559>, by = key) =>
    privateKeyToAccount(by).signTransaction({ ...ours, ...change })

  test('is accepted where it equals the unsigned one, also in upper case', async () => {
    const raw = await signedAs({})
    const signed = builder.sign(usdc, terms, 3n, [new Secret(key)])
    expect(accept(raw)).toEqual(signed)
    expect(accept(`0x${raw.slice(2).toUpperCase()}`)).toEqual(signed)
  })

  test.each([
    ['chain id', { chainId: 1 }],
    ['nonce', { nonce: 4 }],
    ['recipient', { to: addressOf(keyOf(8)) as Hex }],
    ['recipient', { to: null }],
    ['value', { value: 1n }],
    ['data', { data: `${ours.data?.slice(0, -1)}1` as Hex }],
    ['gas limit', { gas: 65_001n }],
    ['max fee per gas', { maxFeePerGas: 90_000_000_001n }],
    ['max priority fee per gas', { maxPriorityFeePerGas: 1n }],
    ['access list', { accessList: [{ address: addressOf(keyOf(8)) as Hex, storageKeys: [] }] }],
  ])('is refused with another %s', async (field, change) => {
    expect(accept(await signedAs(change))).toEqual({
      refused: `its ${field} differs from the transaction to sign`,
    })
  })

  test('is refused where it is signed by another key, or unsigned', async () => {
    expect(accept(await signedAs({}, keyOf(9)))).toEqual({ refused: 'it is not signed by the sender' })
    expect(accept(serializeTransaction(ours))).toEqual({ refused: 'it is not signed' })
  })

  test('is refused where its signature is malleable', async () => {
    const { r = '0x', s = '0x', yParity = 0 } = parseTransaction((await signedAs({})) as `0x02${string}`)
    const high: Hex = `0x${(order - BigInt(s)).toString(16)}`
    expect(accept(serializeTransaction(ours, { r, s: high, yParity: 1 - yParity }))).toEqual({
      refused: 'its signature is not valid',
    })
  })

  test('is refused where it has another type', async () => {
    const { chainId, nonce, gas, to, value, data } = ours
    const legacy = { chainId, nonce, gas, to, value, data, gasPrice: 90_000_000_000n } as const
    const raw = await privateKeyToAccount(key).signTransaction({ ...legacy, type: 'legacy' } as never)
    expect(accept(raw)).toEqual({ refused: 'not a signed EIP-1559 transaction in hex' })
  })

  test('is refused with any byte changed, missing or added', async () => {
    const raw = await signedAs({})
    const bytes = raw.length / 2 - 1
    const at = (index: number) => 2 + 2 * index
    const otherByte = (index: number, by: number) =>
      (((Number.parseInt(raw.slice(at(index), at(index) + 2), 16) + by) % 256) + 256).toString(16).slice(-2)
    for (let index = 0; index < bytes; index++) {
      for (const by of [1, 128]) {
        expect(
          accept(raw.slice(0, at(index)) + otherByte(index, by).padStart(2, '0') + raw.slice(at(index) + 2)),
        ).toHaveProperty('refused')
      }
      expect(accept(raw.slice(0, at(index)) + raw.slice(at(index) + 2))).toHaveProperty('refused')
    }
    for (const more of ['00', 'ff', '0']) expect(accept(raw + more)).toHaveProperty('refused')
  })

  test('is refused without an exception for any text', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => `0x02${bytesToHex(bytes).slice(2)}`),
      fc.constant('0x02'.padEnd(10_000, 'f')),
    )
    fc.assert(fc.property(texts, (text) => 'refused' in accept(text)))
  })
})
