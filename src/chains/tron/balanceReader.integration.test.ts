import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeAbiParameters } from 'viem'
import { client, feeLimit, funded, type Network, newAccount, payUsdt, trx } from '../../../test/devnets/tron/harness.ts'
import { startTronDevnet, type TronDevnet } from '../../../test/devnets/tron.ts'
import { type MadeAnswer, madeContract, openTron } from '../../../test/support/tronTransfers.ts'
import { ProviderError } from '../chain.ts'
import { tronAddress } from './address.ts'
import { balanceCall, decimalsCall, symbolCall } from './tokenCalls.ts'

type Tron = Awaited<ReturnType<typeof openTron>>
let devnet: TronDevnet
let network: Network
let tron: Tron
let holder: ReturnType<typeof newAccount>

beforeAll(async () => {
  devnet = await startTronDevnet({ blockMs: 0 })
  network = { url: devnet.rpcUrl, key: devnet.faucetPrivateKey, usdt: devnet.usdt, include: () => devnet.control('mine') }
  tron = await openTron(devnet)
  holder = await funded(network, 3 * trx)
  await payUsdt(network, network.key, holder.address, 7n)
})
afterAll(async () => {
  await tron.close()
  await devnet.stop()
})

const usdt = () => tronAddress.normalise(devnet.usdt) ?? ''
const fakeUsdt = () => tronAddress.normalise(devnet.fakeUsdt) ?? ''

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]).slice(2)
const balanceOf = balanceCall('').slice(0, 8)
const sound = { [balanceOf]: word(5n), [decimalsCall]: word(2), [symbolCall]: text('ABC') }

/** Deploys a contract that answers so. @returns its address in normal form */
async function deploy(answers: Record<string, MadeAnswer>): Promise<string> {
  const tronWeb = client(network.url, network.key)
  const draft = await tronWeb.transactionBuilder.createSmartContract({
    abi: [],
    bytecode: madeContract(answers),
    feeLimit: 10 * feeLimit,
    originEnergyLimit: 10_000_000,
  })
  const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(draft))
  if (!sent.result) throw new Error(`not deployed: ${sent.code}`)
  await devnet.control('mine')
  return String(draft.contract_address).toLowerCase()
}

const tokenOf = async (contract: string, by = tron) => (await by.balances.balances(holder.hex, [contract])).tokens[0]

describe('the balances of an address', () => {
  test('are those that the chain has, tokens in the order that was asked for', async () => {
    expect(await tron.balances.balances(holder.hex, [fakeUsdt(), usdt()])).toEqual({
      native: 3_000_000n,
      tokens: [
        { contract: fakeUsdt(), symbol: 'USDT', decimals: 6, balance: 0n, problem: null },
        { contract: usdt(), symbol: 'USDT', decimals: 6, balance: 7n, problem: null },
      ],
    })
  })

  test('are zero where the chain has no such account, and its tokens are there all the same', async () => {
    const unknown = newAccount()
    await payUsdt(network, network.key, unknown.address, 9n)
    expect(await tron.balances.balances(unknown.hex, [usdt()])).toMatchObject({ native: 0n, tokens: [{ balance: 9n }] })
    expect(await tron.balances.balances(newAccount().hex, [])).toEqual({ native: 0n, tokens: [] })
  })

  test('are asked of the next provider where one is down, and of nobody where all are', async () => {
    await devnet.control('misbehave', { face: 'off', down: true })
    const both = await openTron(devnet, [devnet.faceUrl('off'), devnet.rpcUrl])
    const none = await openTron(devnet, [devnet.faceUrl('off')])
    try {
      expect(await tokenOf(usdt(), both)).toMatchObject({ balance: 7n })
      await expect(tokenOf(usdt(), none)).rejects.toThrow(ProviderError)
    } finally {
      await Promise.all([both.close(), none.close()])
    }
  })
})

describe('a token', () => {
  test('that answers as it should is told whole', async () => {
    const contract = await deploy(sound)
    const expected = { contract, symbol: 'ABC', decimals: 2, balance: 5n, problem: null }
    expect([await tokenOf(contract), await tokenOf(contract)]).toEqual([expected, expected])
  })

  test('may hold more than any number, and have a symbol in one word', async () => {
    const contract = await deploy({ ...sound, [balanceOf]: 'f'.repeat(64), [symbolCall]: Buffer.from('MKR').toString('hex').padEnd(64, '0') })
    expect(await tokenOf(contract)).toMatchObject({ symbol: 'MKR', balance: 2n ** 256n - 1n, problem: null })
  })

  test('is none where there is no contract, as at an account or at nothing', async () => {
    for (const { hex } of [holder, newAccount()]) {
      expect(await tokenOf(hex)).toEqual({ contract: hex, symbol: null, decimals: null, balance: null, problem: 'not_a_token' })
    }
  })

  test.each<[string, Record<string, MadeAnswer>, object]>([
    ['a contract that undoes every call', {}, { symbol: null, decimals: null, balance: null, problem: 'unreadable' }],
    ['a balance that is undone', { ...sound, [balanceOf]: 'revert' }, { symbol: 'ABC', decimals: 2, balance: null, problem: 'unreadable' }],
    ['an empty balance', { ...sound, [balanceOf]: '' }, { balance: null, problem: 'unreadable' }],
    ['a balance of two words', { ...sound, [balanceOf]: word(5n) + word(5n) }, { balance: null, problem: 'unreadable' }],
    ['a balance of half a word', { ...sound, [balanceOf]: 'ab'.repeat(16) }, { balance: null, problem: 'unreadable' }],
    ['no decimals', { [balanceOf]: word(5n), [symbolCall]: text('ABC') }, { symbol: 'ABC', decimals: null, balance: 5n, problem: 'no_decimals' }],
    ['more decimals than there are', { ...sound, [decimalsCall]: word(256) }, { decimals: null, balance: 5n, problem: 'no_decimals' }],
    ['no symbol', { [balanceOf]: word(5n), [decimalsCall]: word(2) }, { symbol: null, decimals: 2, balance: 5n, problem: 'bad_symbol' }],
    ['an empty symbol', { ...sound, [symbolCall]: text('') }, { symbol: null, balance: 5n, problem: 'bad_symbol' }],
    ['a huge symbol', { ...sound, [symbolCall]: text('x'.repeat(5000)) }, { symbol: null, balance: 5n, problem: 'bad_symbol' }],
    ['a symbol that turns the writing', { ...sound, [symbolCall]: text('\u202eTDSU') }, { symbol: null, balance: 5n, problem: 'bad_symbol' }],
    ['a symbol that is garbage', { ...sound, [symbolCall]: 'ff'.repeat(70) }, { symbol: null, balance: 5n, problem: 'bad_symbol' }],
  ])('with %s is told as that, beside tokens that are sound', async (_what, answers, expected) => {
    const contract = await deploy(answers)
    const { tokens } = await tron.balances.balances(holder.hex, [contract, usdt()])
    expect(tokens).toMatchObject([
      { contract, ...expected },
      { balance: 7n, problem: null },
    ])
  })

  test('that takes all energy is unreadable, and no fault of the node', async () => {
    const contract = await deploy({ ...sound, [balanceOf]: 'invalid' })
    expect(await tokenOf(contract)).toMatchObject({ symbol: 'ABC', decimals: 2, balance: null, problem: 'unreadable' })
    expect(await tokenOf(usdt())).toMatchObject({ balance: 7n })
  })
})
