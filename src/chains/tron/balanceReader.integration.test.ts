import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeAbiParameters } from 'viem'
import {
  client,
  feeLimit,
  funded,
  type Network,
  newAccount,
  payUsdt,
  trx,
} from '../../../test/devnets/tron/harness.ts'
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
  network = {
    url: devnet.rpcUrl,
    key: devnet.faucetPrivateKey,
    usdt: devnet.usdt,
    include: () => devnet.control('mine'),
  }
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
const validAnswers = { [balanceOf]: word(5n), [decimalsCall]: word(2), [symbolCall]: text('ABC') }

/** Deploys a contract with these answers. @returns its address in normal form */
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

const tokenOf = async (contract: string, by = tron) =>
  (await by.balances.balances(holder.hex, [contract])).tokens[0]

test('the coin of many addresses is read at once', async () => {
  const nobody = tronAddress.normalise(newAccount().address) ?? ''
  expect(await tron.balances.spendable([nobody, holder.hex])).toEqual([0n, 3_000_000n])
})

describe('the balances of an address', () => {
  test('are those of the chain, with tokens in the requested order', async () => {
    expect(await tron.balances.balances(holder.hex, [fakeUsdt(), usdt()])).toEqual({
      native: 3_000_000n,
      tokens: [
        { contract: fakeUsdt(), symbol: 'USDT', decimals: 6, balance: 0n, problem: null },
        { contract: usdt(), symbol: 'USDT', decimals: 6, balance: 7n, problem: null },
      ],
    })
  })

  test('are zero without an account, apart from its tokens', async () => {
    const unknown = newAccount()
    await payUsdt(network, network.key, unknown.address, 9n)
    expect(await tron.balances.balances(unknown.hex, [usdt()])).toMatchObject({
      native: 0n,
      tokens: [{ balance: 9n }],
    })
    expect(await tron.balances.balances(newAccount().hex, [])).toEqual({ native: 0n, tokens: [] })
  })

  test('come from the next provider if one is down, and fail if all are down', async () => {
    await devnet.control('misbehave', { face: 'off', down: true })
    const both = await openTron(devnet, [devnet.faceUrl('off'), devnet.rpcUrl])
    const down = await openTron(devnet, [devnet.faceUrl('off')])
    try {
      expect(await tokenOf(usdt(), both)).toMatchObject({ balance: 7n })
      await expect(tokenOf(usdt(), down)).rejects.toThrow(ProviderError)
    } finally {
      await Promise.all([both.close(), down.close()])
    }
  })
})

describe('a token', () => {
  test('with valid answers is read in full', async () => {
    const contract = await deploy(validAnswers)
    const expected = { contract, symbol: 'ABC', decimals: 2, balance: 5n, problem: null }
    expect([await tokenOf(contract), await tokenOf(contract)]).toEqual([expected, expected])
  })

  test('may have a balance of 2^256 - 1, and a symbol in one word', async () => {
    const contract = await deploy({
      ...validAnswers,
      [balanceOf]: 'f'.repeat(64),
      [symbolCall]: Buffer.from('MKR').toString('hex').padEnd(64, '0'),
    })
    expect(await tokenOf(contract)).toMatchObject({ symbol: 'MKR', balance: 2n ** 256n - 1n, problem: null })
  })

  test('is missing at an address without a contract', async () => {
    for (const { hex } of [holder, newAccount()]) {
      expect(await tokenOf(hex)).toEqual({
        contract: hex,
        symbol: null,
        decimals: null,
        balance: null,
        problem: 'not_a_token',
      })
    }
  })

  test.each<[string, Record<string, MadeAnswer>, object]>([
    ['every call reverting', {}, { symbol: null, decimals: null, balance: null, problem: 'unreadable' }],
    [
      'a balance that reverts',
      { ...validAnswers, [balanceOf]: 'revert' },
      { symbol: 'ABC', decimals: 2, balance: null, problem: 'unreadable' },
    ],
    ['an empty balance', { ...validAnswers, [balanceOf]: '' }, { balance: null, problem: 'unreadable' }],
    [
      'a balance of two words',
      { ...validAnswers, [balanceOf]: word(5n) + word(5n) },
      { balance: null, problem: 'unreadable' },
    ],
    [
      'a balance of half a word',
      { ...validAnswers, [balanceOf]: 'ab'.repeat(16) },
      { balance: null, problem: 'unreadable' },
    ],
    [
      'no decimals',
      { [balanceOf]: word(5n), [symbolCall]: text('ABC') },
      { symbol: 'ABC', decimals: null, balance: 5n, problem: 'no_decimals' },
    ],
    [
      'decimals above 255',
      { ...validAnswers, [decimalsCall]: word(256) },
      { decimals: null, balance: 5n, problem: 'no_decimals' },
    ],
    [
      'no symbol',
      { [balanceOf]: word(5n), [decimalsCall]: word(2) },
      { symbol: null, decimals: 2, balance: 5n, problem: 'bad_symbol' },
    ],
    [
      'an empty symbol',
      { ...validAnswers, [symbolCall]: text('') },
      { symbol: null, balance: 5n, problem: 'bad_symbol' },
    ],
    [
      'a huge symbol',
      { ...validAnswers, [symbolCall]: text('x'.repeat(5000)) },
      { symbol: null, balance: 5n, problem: 'bad_symbol' },
    ],
    [
      'a symbol with a direction override',
      { ...validAnswers, [symbolCall]: text('\u202eTDSU') },
      { symbol: null, balance: 5n, problem: 'bad_symbol' },
    ],
    [
      'an undecodable symbol',
      { ...validAnswers, [symbolCall]: 'ff'.repeat(70) },
      { symbol: null, balance: 5n, problem: 'bad_symbol' },
    ],
  ])('with %s has that problem, and valid tokens next to it do not', async (_what, answers, expected) => {
    const contract = await deploy(answers)
    const { tokens } = await tron.balances.balances(holder.hex, [contract, usdt()])
    expect(tokens).toMatchObject([
      { contract, ...expected },
      { balance: 7n, problem: null },
    ])
  })

  test('that uses up all energy is unreadable, and not a failure of the node', async () => {
    const contract = await deploy({ ...validAnswers, [balanceOf]: 'invalid' })
    expect(await tokenOf(contract)).toMatchObject({
      symbol: 'ABC',
      decimals: 2,
      balance: null,
      problem: 'unreadable',
    })
    expect(await tokenOf(usdt())).toMatchObject({ balance: 7n })
  })
})
