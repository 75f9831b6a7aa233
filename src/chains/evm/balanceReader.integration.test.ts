import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bytesToHex, encodeAbiParameters, type Hex, stringToHex } from 'viem'
import { type EvmDevnet, rpc, startEvmDevnet } from '../../../test/devnets/evm.ts'
import {
  answeringContract,
  answersZeros,
  type Behaviour,
  burnsAllGas,
  putCode,
  putMulticall,
} from '../../../test/support/answeringContract.ts'
import { addressOf, keyOf } from '../../../test/support/evmIntents.ts'
import { type Change, changed, plain, providersOf } from '../../../test/support/evmSending.ts'
import { ProviderError } from '../chain.ts'
import { RpcError } from '../providers/jsonRpc.ts'
import { evmBalanceReader } from './balanceReader.ts'
import { multicallAddress } from './multicall.ts'
import { tokenBalance } from './tokenAnswers.ts'

const owner = addressOf(keyOf(301))
const word = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])
const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])
const bytes32 = (value: string): Hex => stringToHex(value, { size: 32 })

const validToken = {
  'balanceOf(address)': { answers: word(70n) },
  'decimals()': { answers: word(6n) },
  'symbol()': { answers: text('GOOD') },
} as const
const good = { symbol: 'GOOD', decimals: 6, balance: 70n, problem: null }
const unreadable = { balance: null, problem: 'unreadable' }

/** Contracts, each with the balance expected of it. */
const contracts: [name: string, functions: Record<string, Behaviour>, read: Record<string, unknown>][] = [
  ['a valid token', validToken, good],
  [
    'one with a huge balance',
    { ...validToken, 'balanceOf(address)': { answers: word(2n ** 256n - 1n) } },
    { ...good, balance: 2n ** 256n - 1n },
  ],
  [
    'one with a 32-byte symbol, like MKR',
    { ...validToken, 'symbol()': { answers: bytes32('MKR') } },
    { ...good, symbol: 'MKR' },
  ],
  [
    'one whose symbol fills all 32 bytes',
    { ...validToken, 'symbol()': { answers: bytes32('S'.repeat(32)) } },
    { ...good, symbol: 'S'.repeat(32) },
  ],
  [
    'one with a non-ASCII symbol',
    { ...validToken, 'symbol()': { answers: text('USD₮0') } },
    { ...good, symbol: 'USD₮0' },
  ],
  ['one that reverts', {}, { ...unreadable, symbol: null, decimals: null }],
  ['one without a balance', { ...validToken, 'balanceOf(address)': { reverts: '0x' } }, unreadable],
  ['one that uses all gas', { '*': burnsAllGas }, unreadable],
  ['one whose balance uses all gas', { ...validToken, 'balanceOf(address)': burnsAllGas }, unreadable],
  ['one whose balance is empty', { ...validToken, 'balanceOf(address)': { answers: '0x' } }, unreadable],
  ['one whose balance is a byte', { ...validToken, 'balanceOf(address)': { answers: '0x46' } }, unreadable],
  [
    'one whose balance is a text',
    { ...validToken, 'balanceOf(address)': { answers: text('seventy') } },
    unreadable,
  ],
  [
    'one without decimals',
    { ...validToken, 'decimals()': { reverts: '0x' } },
    { ...good, decimals: null, problem: 'no_decimals' },
  ],
  [
    'one with 78 decimals',
    { ...validToken, 'decimals()': { answers: word(78n) } },
    { ...good, decimals: null, problem: 'no_decimals' },
  ],
  [
    'one with 2^255 decimals',
    { ...validToken, 'decimals()': { answers: word(2n ** 255n) } },
    { ...good, decimals: null, problem: 'no_decimals' },
  ],
  [
    'one with 77 decimals',
    { ...validToken, 'decimals()': { answers: word(77n) } },
    { ...good, decimals: 77 },
  ],
  ...(
    [
      ['without a symbol', { reverts: '0x' }],
      ['whose symbol is empty', { answers: text('') }],
      ['whose symbol is zeros', { answers: word(0n) }],
      ['whose symbol is spaces', { answers: text('   ') }],
      ['whose symbol has 33 letters', { answers: text('A'.repeat(33)) }],
      ['whose symbol has a line feed', { answers: text('US\nDC') }],
      ['whose symbol has a zero byte', { answers: text('US\0DC') }],
      ['whose symbol runs backwards', { answers: text('\u202eCDSU') }],
      ['whose symbol has a zero-width character', { answers: text('US\u200bDC') }],
      ['whose symbol is not UTF-8', { answers: encodeAbiParameters([{ type: 'bytes' }], ['0xff00ff']) }],
      ['whose symbol is a megabyte', answersZeros(1_000_000)],
      [
        'whose symbol claims more bytes than it has',
        { answers: `${word(32n)}${word(2n ** 255n).slice(2)}` as Hex },
      ],
      [
        'whose symbol points outside the answer',
        { answers: `${word(2n ** 200n)}${word(4n).slice(2)}` as Hex },
      ],
      ['whose symbol is half an answer', { answers: '0x00000020' }],
      ['whose symbol uses all gas', burnsAllGas],
    ] as [string, Behaviour][]
  ).map(([what, symbol]): (typeof contracts)[number] => [
    `one ${what}`,
    { ...validToken, 'symbol()': symbol },
    { ...good, symbol: null, problem: 'bad_symbol' },
  ]),
]
const addressOfContract = (index: number) => `0x${(0xc0de0000 + index).toString(16).padStart(40, '0')}`
const listed = contracts.map((_, index) => addressOfContract(index))

let devnet: EvmDevnet
beforeAll(async () => {
  devnet = await startEvmDevnet({ chain: 'ethereum', blockSeconds: 0 })
  for (const [index, [, functions]] of contracts.entries())
    await putCode(devnet.rpcUrl, addressOfContract(index), answeringContract(functions))
  await rpc(devnet.rpcUrl, 'anvil_setBalance', [owner, '0x3039'])
  await rpc(devnet.rpcUrl, 'anvil_dealERC20', [owner, devnet.usdc, '0x1f4'])
  await rpc(devnet.rpcUrl, 'anvil_dealERC20', [owner, devnet.usdt, '0x258'])
})
afterAll(async () => {
  await devnet?.stop()
})

/** A reader of the node, and the methods that it called. */
function reading(change: Change = (_, __, truth) => truth()) {
  const asked: string[] = []
  const watched: Change = (method, params, truth) => {
    asked.push(method)
    return change(method, params, truth)
  }
  return {
    reader: evmBalanceReader({ providers: providersOf([changed(devnet.rpcUrl, 'node', watched)]) }),
    asked,
  }
}

/** The answers are the same with and without Multicall3. */
describe.each([
  ['without Multicall3', false],
  ['with Multicall3', true],
])('balances on a chain %s', (_what, multicall) => {
  beforeAll(async () => {
    if (multicall) await putMulticall(devnet.rpcUrl, multicallAddress)
  })

  test('are those of the native coin and of each token, in the requested order', async () => {
    const { reader } = reading()
    const usdc = { contract: devnet.usdc, symbol: 'USDC', decimals: 6, balance: 500n, problem: null }
    const usdt = { contract: devnet.usdt, symbol: 'USDT', decimals: 6, balance: 600n, problem: null }
    for (let again = 0; again < 2; again++) {
      expect(await reader.balances(owner, [devnet.usdc, devnet.usdt ?? ''])).toEqual({
        native: 12345n,
        tokens: [usdc, usdt],
      })
      expect(await reader.balances(owner, [devnet.usdt ?? '', devnet.usdc])).toEqual({
        native: 12345n,
        tokens: [usdt, usdc],
      })
    }
    expect(await reader.balances(owner, [])).toEqual({ native: 12345n, tokens: [] })
    expect(await reader.balances(addressOf(keyOf(302)), [devnet.usdc])).toEqual({
      native: 0n,
      tokens: [{ ...usdc, balance: 0n }],
    })
  })

  test.each(contracts.map(([what, , read], index) => [what, index, read] as const))(
    'of %s',
    async (_contract, index, read) => {
      const { tokens } = await reading().reader.balances(owner, [addressOfContract(index)])
      expect(tokens).toMatchObject([{ contract: addressOfContract(index), ...read }])
    },
  )

  test('of the native coin are read for many addresses at once', async () => {
    const others = Array.from({ length: 120 }, (_, i) => addressOf(keyOf(5000 + i)))
    const { reader } = reading()
    expect(await reader.spendable([...others, owner])).toEqual([...others.map(() => 0n), 12345n])
    expect([await reader.spendable([owner]), await reader.spendable([])]).toEqual([[12345n], []])
  })

  test('of many addresses are those after one block, in their order', async () => {
    const others = Array.from({ length: 90 }, (_, i) => addressOf(keyOf(5000 + i)))
    const { reader } = reading()
    const before = Number(await rpc(devnet.rpcUrl, 'eth_blockNumber', []))
    await rpc(devnet.rpcUrl, 'anvil_mine', ['0x1'])
    await rpc(devnet.rpcUrl, 'anvil_setBalance', [others[70], '0x9'])
    await rpc(devnet.rpcUrl, 'anvil_dealERC20', [others[70], devnet.usdc, '0x8'])
    await rpc(devnet.rpcUrl, 'anvil_mine', ['0x1'])
    const asked = [...others, owner]
    const read = [
      devnet.usdc,
      addressOfContract(contracts.findIndex(([name]) => name === 'one that reverts')),
    ]
    const nothing = { native: 0n, tokens: [0n, null] }
    const own = { native: 12345n, tokens: [500n, null] }
    expect(await reader.many?.(asked, read, null)).toEqual([
      ...others.map((_, index) => (index === 70 ? { native: 9n, tokens: [8n, null] } : nothing)),
      own,
    ])
    expect(await reader.many?.(asked, read, before)).toEqual([...others.map(() => nothing), own])
    await rpc(devnet.rpcUrl, 'anvil_setBalance', [others[70], '0x0'])
    await rpc(devnet.rpcUrl, 'anvil_dealERC20', [others[70], devnet.usdc, '0x0'])
    await rpc(devnet.rpcUrl, 'anvil_mine', ['0x1'])
  })

  test('are `not_a_token` for an account, an empty address and a precompiled contract', async () => {
    const notTokens = [owner, `0x${'5'.repeat(40)}`, `0x${'2'.padStart(40, '0')}`]
    const { native, tokens } = await reading().reader.balances(owner, notTokens)
    expect(native).toBe(12345n)
    expect(tokens).toEqual(
      notTokens.map((contract) => ({
        contract,
        symbol: null,
        decimals: null,
        balance: null,
        problem: 'not_a_token',
      })),
    )
  })

  test('of valid tokens are unaffected by hostile ones, in any order', async () => {
    const all = [...listed, devnet.usdc, owner, ...listed.toReversed()]
    const { native, tokens } = await reading().reader.balances(owner, all)
    expect(native).toBe(12345n)
    const expected = contracts.map(([, , read], index) => ({ contract: addressOfContract(index), ...read }))
    expect(tokens).toMatchObject([
      ...expected,
      { contract: devnet.usdc, balance: 500n, problem: null },
      { contract: owner, problem: 'not_a_token' },
      ...expected.toReversed(),
    ])
  })

  test('throw a ProviderError where no provider answers or an answer is invalid', async () => {
    const silent: Change = async () => {
      throw new ProviderError('node: timeout')
    }
    await expect(reading(silent).reader.balances(owner, [devnet.usdc])).rejects.toThrow(ProviderError)
    for (const answer of [null, 5, 'much', '0x12', {}]) {
      const wrong = reading(async (method, _, truth) =>
        method === 'eth_getBalance' || method === 'eth_call' ? answer : truth(),
      )
      if (multicall) await expect(wrong.reader.balances(owner, [devnet.usdc])).rejects.toThrow(ProviderError)
      if (answer !== '0x12') await expect(wrong.reader.balances(owner, [])).rejects.toThrow(ProviderError)
    }
  })
})

describe('the metadata of tokens', () => {
  test('is read once: later requests read the balance only', async () => {
    const { reader, asked } = reading()
    await reader.balances(owner, [devnet.usdc, listed[0] ?? ''])
    expect(asked).toEqual(['eth_call'])
    let size = 0
    const measured = reading(async (_, params, truth) => {
      size = JSON.stringify(params).length
      return truth()
    })
    await measured.reader.balances(owner, [devnet.usdc])
    const first = size
    await measured.reader.balances(owner, [devnet.usdc])
    expect(size).toBeLessThan(first)
  })

  test('is not cached where it is invalid', async () => {
    const contract = `0x${'e'.repeat(40)}`
    const { reader } = reading()
    await putCode(
      devnet.rpcUrl,
      contract,
      answeringContract({ ...validToken, 'symbol()': { answers: '0x' } }),
    )
    expect((await reader.balances(owner, [contract])).tokens).toMatchObject([
      { problem: 'bad_symbol', balance: 70n },
    ])
    await putCode(devnet.rpcUrl, contract, answeringContract(validToken))
    expect((await reader.balances(owner, [contract])).tokens).toMatchObject([good])
    await putCode(devnet.rpcUrl, contract, answeringContract({}))
    expect((await reader.balances(owner, [contract])).tokens).toMatchObject([unreadable])
  })

  test('is read from each contract by itself, with limited gas, where a node refuses the combined call', async () => {
    const gas: unknown[] = []
    const refusing: Change = async (method, params, truth) => {
      const to = (params[0] as { to?: string } | undefined)?.to
      if (method === 'eth_call' && to === multicallAddress)
        throw new RpcError('node: eth_call', -32000, 'execution aborted (timeout = 5s)')
      if (method === 'eth_call') gas.push((params[0] as { gas?: string }).gas)
      return truth()
    }
    expect(await reading(refusing).reader.balances(owner, [devnet.usdc, listed[7] ?? ''])).toMatchObject({
      native: 12345n,
      tokens: [{ balance: 500n }, unreadable],
    })
    expect(new Set(gas)).toEqual(new Set(['0x7a120']))
  })

  test('is read over HTTP in batches', async () => {
    const reader = evmBalanceReader({ providers: providersOf([plain(devnet.rpcUrl)]) })
    expect((await reader.balances(owner, listed)).tokens.map(({ problem }) => problem)).toEqual(
      contracts.map(([, , read]) => read.problem),
    )
  })

  test('never throws on any bytes, and gives a printable symbol or null', () => {
    const answer = fc.option(fc.uint8Array({ maxLength: 200 }).map((bytes) => bytesToHex(bytes)))
    const named = fc
      .string({ maxLength: 40, unit: 'binary' })
      .map((name) => encodeAbiParameters([{ type: 'string' }], [name.toWellFormed()]))
    fc.assert(
      fc.property(answer, answer, fc.oneof(answer, named), (balance, decimals, symbol) => {
        const token = tokenBalance('0x', { balance, decimals, symbol })
        if (token.symbol !== null) expect(token.symbol).toMatch(/^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u)
        expect([...(token.symbol ?? '')].length).toBeLessThanOrEqual(32)
      }),
    )
  })
})

test('balances after a past block are those of then; a token that was not deployed yet counts as zero', async () => {
  const { reader } = reading()
  const address = addressOf(keyOf(310))
  const height = async () => Number(await rpc(devnet.rpcUrl, 'eth_blockNumber', []))
  await rpc(devnet.rpcUrl, 'anvil_setBalance', [address, '0x7'])
  await rpc(devnet.rpcUrl, 'anvil_dealERC20', [address, devnet.usdc, '0x5'])
  await rpc(devnet.rpcUrl, 'anvil_mine', ['0x1'])
  const then = await height()
  // A value that anvil sets also changes the state of the newest block.
  await rpc(devnet.rpcUrl, 'anvil_mine', ['0x1'])
  await rpc(devnet.rpcUrl, 'anvil_setBalance', [address, '0x63'])
  await rpc(devnet.rpcUrl, 'anvil_dealERC20', [address, devnet.usdc, '0x63'])
  await rpc(devnet.rpcUrl, 'anvil_mine', ['0x1'])
  expect(await reader.balancesAt?.(address, [devnet.usdc], then)).toEqual({ native: 7n, tokens: [5n] })
  expect(await reader.balancesAt?.(address, [devnet.usdc], then + 2)).toEqual({ native: 99n, tokens: [99n] })
  expect(await reader.balancesAt?.(address, [devnet.usdc], 0)).toEqual({ native: 0n, tokens: [0n] })
})

test('a node that keeps no past state leaves them unknown; a token that refuses leaves only its own', async () => {
  const height = Number(await rpc(devnet.rpcUrl, 'eth_blockNumber', []))
  const pruned = reading((method, _params, truth) => {
    if (method === 'eth_getBalance') throw new RpcError('node', -32000, 'missing trie node')
    return truth()
  })
  expect(await pruned.reader.balancesAt?.(owner, [devnet.usdc], height)).toBeNull()
  const bare = reading((method, _params, truth) => {
    if (method === 'eth_getBalance' || method === 'eth_call')
      throw new RpcError('node', -32000, 'missing trie node')
    return truth()
  })
  expect(await bare.reader.many?.([owner], [devnet.usdc], height)).toBeNull()
  const refusing = reading((method, _params, truth) => {
    if (method === 'eth_call') throw new RpcError('node', 3, 'execution reverted')
    return truth()
  })
  expect(await refusing.reader.balancesAt?.(owner, [devnet.usdc], height)).toMatchObject({ tokens: [null] })
})
