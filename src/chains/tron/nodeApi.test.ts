import { describe, expect, test } from '@jest/globals'
import { encodeErrorResult } from 'viem'
import { account, madeTronNode, word } from '../../../test/support/madeTron.ts'
import { ProviderError } from '../chain.ts'
import { RestError } from '../providers/rest.ts'
import { readAccount, readResources, readSolidHead, tryCall } from './nodeApi.ts'

const [alice, token] = [account(1), account(2)]
const node = (path: string, answer: unknown) =>
  madeTronNode('a', [], {
    [path]: () => {
      if (answer instanceof Error) throw answer
      return answer
    },
  })
const hex = (text: string) => Buffer.from(text).toString('hex')

describe('a call that is tried', () => {
  const tried = (answer: unknown) => tryCall(node('/wallet/triggerconstantcontract', answer), alice, token, '00')
  const failure = async (answer: unknown) => (await tried(answer)).failure

  test('tells what it answers, and its energy with the penalty', async () => {
    const answer = {
      result: { result: true },
      energy_used: 130_285,
      energy_penalty: 100_000,
      constant_result: [word(1n)],
      transaction: { ret: [{}] },
    }
    expect(await tried(answer)).toEqual({ result: word(1n), energy: 130_285n, failure: null })
  })

  test('and was undone tells why: in the words of the contract, or else of the chain', async () => {
    const abi = [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }] as const
    const said = encodeErrorResult({ abi, args: ['not today'] }).slice(2)
    const undone = { result: { result: true, message: hex('REVERT opcode executed') }, transaction: { ret: [{ ret: 'FAILED' }] } }
    expect(await failure({ ...undone, constant_result: [said] })).toEqual({ message: 'not today', isMissing: false })
    expect(await failure({ ...undone, constant_result: [''] })).toEqual({ message: 'REVERT opcode executed', isMissing: false })
    expect(await failure({ ...undone, result: { result: true } })).toEqual({ message: 'the call failed', isMissing: false })
  })

  test('and could not be run is no fault of the node', async () => {
    expect(await failure({ result: { code: 'OTHER_ERROR', message: hex('CPU timeout for SSTORE') } })).toMatchObject({ isMissing: false })
    expect(await failure({ result: { code: 'CONTRACT_EXE_ERROR' } })).toEqual({ message: 'CONTRACT_EXE_ERROR', isMissing: false })
    const missing = { code: 'CONTRACT_VALIDATE_ERROR', message: hex('Smart contract is not exist.') }
    expect(await failure({ result: missing })).toMatchObject({ isMissing: true })
  })

  test.each<[string, unknown]>([
    ['is busy', { result: { code: 'SERVER_BUSY' } }],
    ['runs none', { result: { code: 'CONTRACT_VALIDATE_ERROR', message: hex('this node does not support constant') } }],
    ['fails', { Error: 'class java.lang.NullPointerException : null' }],
    ['answers nonsense', { result: { result: true }, energy_used: 'much' }],
    ['answers nothing', null],
    ['answers text', 'closed'],
  ])('is the fault of a node that %s', async (_what, answer) => {
    await expect(tried(answer)).rejects.toThrow(ProviderError)
  })
})

describe('an account', () => {
  const read = (answer: unknown) => readAccount(node('/wallet/getaccount', answer), alice)
  const keys = (...weights: number[]) => weights.map((weight, index) => ({ address: account(index + 1), weight }))

  test('that is not there has nothing', async () => {
    expect(await read({})).toEqual({ exists: false, balance: 0n, isContract: false, signsAlone: true })
  })

  test('tells its balance, whether it is a contract, and whether its own key is enough', async () => {
    expect(await read({ address: alice, balance: 5 })).toEqual({ exists: true, balance: 5n, isContract: false, signsAlone: true })
    expect(await read({ address: alice, type: 'Contract' })).toMatchObject({ balance: 0n, isContract: true })
    const owned = async (threshold: number, list: object[]) =>
      (await read({ address: alice, owner_permission: { threshold, keys: list } })).signsAlone
    expect([await owned(1, keys(1)), await owned(2, keys(1, 1)), await owned(1, keys(0, 1).slice(1)), await owned(2, keys(2, 1))]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test.each<[string, unknown]>([
    ['of somebody else', { address: token, balance: 5 }],
    ['with a balance that is text', { address: alice, balance: '5' }],
    ['with less than nothing', { address: alice, balance: -5 }],
  ])('%s is refused', async (_what, answer) => {
    await expect(read(answer)).rejects.toThrow(ProviderError)
  })

  test('has what is left of its resources, and never less than nothing', async () => {
    const told = { freeNetLimit: 600, freeNetUsed: 345, NetLimit: 10, NetUsed: 20, EnergyLimit: 100 }
    expect(await readResources(node('/wallet/getaccountresource', told), alice)).toEqual({ freeBandwidth: 255n, stakedBandwidth: 0n, energy: 100n })
    expect(await readResources(node('/wallet/getaccountresource', {}), alice)).toEqual({ freeBandwidth: 0n, stakedBandwidth: 0n, energy: 0n })
  })
})

test('a node without the solidity API tells no solidified block, and one that fails is a failure', async () => {
  const answered = (status: number) => readSolidHead(node('/walletsolidity/getnowblock', new RestError('a', status, '')))
  expect([await answered(404), await answered(405)]).toEqual([null, null])
  await expect(answered(500)).rejects.toThrow(ProviderError)
})
