import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { allowanceHolder } from './contracts.ts'
import { decodeTransaction } from './decodeTransaction.ts'

const abi = parseAbi([
  'function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes)',
  'function execute((address recipient, address buyToken, uint256 minAmountOut) slippage, bytes[] actions, bytes32 zid) payable returns (bool)',
])
const word = (hex: string) => hex.padStart(64, '0')
const decode = (data: string, to = allowanceHolder) => decodeTransaction({ to, data, value: 0n })

/** Words of transactions that 0x's API has answered; the actions of the routes are zeros here. */
const published = {
  polygon: {
    operator: 'b0873c46937d34e98615e8c868bd3580bc6dcd47',
    token: '',
    amount: 'ea5ed2ad6f9c5fa',
    length: 0x664,
    recipient: '5151537093e68f61a48cb98ba56922abcd2bc5e4',
    buyToken: '3c499c542cef5e3811e1192ce70d8cc03d5c3359',
    minAmountOut: '18216',
    zid: 'f5303154d2e14bb0f960c941',
  },
  base: {
    operator: '7747f8d2a76bd6345cc29622a946a929647f2359',
    token: 'cbb7c0000ab88b473b1f5afd9ef808440eed33bf',
    amount: '3b9aca00',
    length: 0x4c4,
    recipient: '337685fdab40d39bd02028545a4ffa7d287cc3e2',
    buyToken: '833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    minAmountOut: '80981ea4d8',
    zid: '37364b2680edf43b0f4a386e',
  },
}

test.each(Object.entries(published))(
  'an answer of 0x on %s is decoded',
  (_, { operator, token, amount, length, ...swap }) => {
    const head = [operator, token, amount, operator, 'a0', length.toString(16)].map(word).join('')
    const inner = `1fff991f${[swap.recipient, swap.buyToken, swap.minAmountOut, 'a0'].map(word).join('')}${swap.zid.padEnd(64, '0')}`
    const padded = Math.ceil(length / 32) * 64
    expect(decode(`0x2213bc0b${head}${inner.padEnd(padded, '0')}`)).toEqual({
      allowed: {
        operator: `0x${operator}`,
        token: `0x${token.padStart(40, '0')}`,
        amount: BigInt(`0x${amount}`),
      },
      settler: `0x${operator}`,
      recipient: `0x${swap.recipient}`,
      buyToken: `0x${swap.buyToken}`,
      minAmountOut: BigInt(`0x${swap.minAmountOut}`),
    })
  },
)

const bytes = (min: number, max: number) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((each) => Buffer.from(each).toString('hex'))
const address = bytes(20, 20).map((hex): Address => `0x${hex}`)
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const call = fc.record({
  operator: address,
  token: address,
  amount,
  target: address,
  recipient: address,
  buyToken: address,
  minAmountOut: amount,
  actions: fc.array(
    bytes(0, 70).map((hex): Hex => `0x${hex}`),
    { maxLength: 3 },
  ),
})
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never

const executeOf = ({ recipient, buyToken, minAmountOut, actions }: Call): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'execute',
    args: [{ recipient, buyToken, minAmountOut }, actions, `0x${'0'.repeat(64)}`],
  })
const execOf = (made: Call, data = executeOf(made)): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'exec',
    args: [made.operator, made.token, made.amount, made.target, data],
  })

describe('calls that viem encodes', () => {
  test('are decoded, behind AllowanceHolder and of a Settler itself', () => {
    fc.assert(
      fc.property(call, (made) => {
        const { operator, token, amount: taken, target, recipient, buyToken, minAmountOut } = made
        const executed = { recipient, buyToken, minAmountOut }
        expect(decode(execOf(made))).toEqual({
          allowed: { operator, token, amount: taken },
          settler: target,
          ...executed,
        })
        expect(decode(executeOf(made), target)).toEqual({ allowed: null, settler: target, ...executed })
      }),
    )
  })

  test('are not decoded where a word is another one than the contracts take, or anything is cut off', () => {
    fc.assert(
      fc.property(call, fc.integer({ min: 0, max: 4 }), (made, length) => {
        const data = execOf(made)
        expect(decode(data.slice(0, -2 * (length * 32 + 32)))).toBeNull()
        expect(decode(`${data}${'00'.repeat(32)}`)).toBeNull()
        expect(decode(`0x2213bc0c${data.slice(10)}`)).toBeNull()
        for (const index of [0, 1, 3]) expect(decode(dirty(data, index))).toBeNull()
        const inner = executeOf(made)
        for (const index of [0, 1]) expect(decode(execOf(made, dirty(inner, index)))).toBeNull()
        expect(decode(execOf(made, `0x1fff9920${inner.slice(10)}`))).toBeNull()
      }),
    )
  })

  test('are not decoded where anything follows the inner call, or it has not all of its words', () => {
    fc.assert(
      fc.property(call, fc.integer({ min: 0, max: 5 }), (made, count) => {
        const data = execOf(made)
        // 4 bytes of the selector and whole words: 28 bytes of padding.
        expect(decode(`${data.slice(0, -1)}1`)).toBeNull()
        const short = executeOf(made).slice(0, 10 + count * 64) as Hex
        expect(decode(short, made.target)).toBeNull()
        expect(decode(execOf(made, short))).toBeNull()
      }),
    )
  })

  test('are not decoded where the inner call is at another place', () => {
    fc.assert(
      fc.property(call, (made) => {
        const data = execOf(made)
        const at = 10 + 4 * 64
        expect(decode(`${data.slice(0, at)}${word('c0')}${data.slice(at + 64)}`)).toBeNull()
      }),
    )
  })
})

/** With a bit above an address. */
function dirty(data: Hex, index: number): Hex {
  const at = 10 + index * 64
  return `0x${data.slice(2, at)}1${data.slice(at + 1)}`
}

test.each(['', '0x', '0x2213bc0b', '0x2213bc0b00', 'garbage', '0x1fff991f'])(
  '%p is no call of 0x',
  (data) => {
    expect(decode(data)).toBeNull()
    expect(decode(data, `0x${'ab'.repeat(20)}`)).toBeNull()
  },
)
