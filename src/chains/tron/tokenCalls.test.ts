import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { encodeAbiParameters, encodeErrorResult, encodeFunctionData, erc20Abi, stringToHex } from 'viem'
import { account } from '../../../test/support/madeTron.ts'
import {
  balanceCall,
  decimalsCall,
  readNumber,
  readRevert,
  readText,
  symbolCall,
  totalSupplyCall,
  transferCall,
} from './tokenCalls.ts'

const evmAddress = (address: string) => `0x${address.slice(2)}` as const
const encoded = (functionName: 'decimals' | 'symbol' | 'totalSupply') =>
  encodeFunctionData({ abi: erc20Abi, functionName }).slice(2)
const textAnswer = (text: string) => encodeAbiParameters([{ type: 'string' }], [text]).slice(2)

describe('a call', () => {
  test('is encoded as by viem', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }),
        (amount, number) => {
          const to = `41${number.toString(16).padStart(40, '0')}`
          const args = [evmAddress(to), amount] as const
          expect(transferCall(to, amount)).toBe(
            encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }).slice(2),
          )
        },
      ),
    )
    const owner = account(77)
    expect(balanceCall(owner)).toBe(
      encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [evmAddress(owner)] }).slice(2),
    )
    expect([decimalsCall, symbolCall, totalSupplyCall]).toEqual([
      encoded('decimals'),
      encoded('symbol'),
      encoded('totalSupply'),
    ])
  })
})

describe('a number in an answer', () => {
  test('is exactly one word', () => {
    expect(readNumber('f'.repeat(64))).toBe(2n ** 256n - 1n)
    for (const answer of ['', '01', '0'.repeat(63), '0'.repeat(128), 'g'.repeat(64)])
      expect(readNumber(answer)).toBeNull()
  })
})

describe('a text in an answer', () => {
  test.each(['USDT', 'USD₮0', 'a b', 'é', '漢字', '😀', 'x'.repeat(32)])('"%s" is read', (text) => {
    expect(readText(textAnswer(text))).toBe(text)
  })

  test('may be a word of bytes, as in old tokens', () => {
    expect(readText(stringToHex('MKR', { size: 32 }).slice(2))).toBe('MKR')
  })

  test.each([
    ['an empty answer', ''],
    ['an empty text', textAnswer('')],
    ['spaces', textAnswer('   ')],
    ['an empty word', '0'.repeat(64)],
    ['33 characters', textAnswer('x'.repeat(33))],
    ['a very long text', textAnswer('x'.repeat(20_000))],
    ['a line break', textAnswer('US\nDT')],
    ['a change of direction', textAnswer('USD\u202eT')],
    ['an invisible character', textAnswer('USD\u200bT')],
    ['invalid UTF-8', `${textAnswer('ab').slice(0, 128)}ff${'0'.repeat(62)}`],
    ['a length beyond the answer', `${'20'.padStart(64, '0')}${'f'.repeat(64)}`],
    ['a text at another offset', `${'40'.padStart(64, '0')}${textAnswer('ab').slice(64)}`],
    ['invalid hex', 'zz'],
  ])('of %s is null', (_what, answer) => {
    expect(readText(answer)).toBeNull()
  })

  test('of arbitrary bytes is short and printable, or null', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = readText(Buffer.from(bytes).toString('hex'))
        expect(text === null || (text.length > 0 && text.length <= 64 && !/\p{C}/u.test(text))).toBe(true)
      }),
    )
  })
})

test('the reason of a reverted call is that of Solidity', () => {
  const abi = [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }] as const
  const reason = 'ERC20: transfer amount exceeds balance'
  expect(readRevert(encodeErrorResult({ abi, args: [reason] }).slice(2))).toBe(reason)
  for (const answer of ['', '08c379a0', 'deadbeef']) expect(readRevert(answer)).toBeNull()
})
