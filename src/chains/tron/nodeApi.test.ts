import { describe, expect, test } from '@jest/globals'
import { encodeErrorResult } from 'viem'
import { account, madeTronNode, word } from '../../../test/support/madeTron.ts'
import { ProviderError } from '../chain.ts'
import { RestError } from '../providers/rest.ts'
import { readAccount, readResources, readSolidHead, simulateCall } from './nodeApi.ts'

const [alice, token] = [account(1), account(2)]
const node = (path: string, answer: unknown) =>
  madeTronNode('a', [], {
    [path]: () => {
      if (answer instanceof Error) throw answer
      return answer
    },
  })
const hex = (text: string) => Buffer.from(text).toString('hex')

describe('a simulated call', () => {
  const simulated = (answer: unknown) =>
    simulateCall(node('/wallet/triggerconstantcontract', answer), alice, token, '00')
  const failure = async (answer: unknown) => (await simulated(answer)).failure

  test('has its answer, and its energy with the penalty', async () => {
    const answer = {
      result: { result: true },
      energy_used: 130_285,
      energy_penalty: 100_000,
      constant_result: [word(1n)],
      transaction: { ret: [{}] },
    }
    expect(await simulated(answer)).toEqual({ result: word(1n), energy: 130_285n, failure: null })
  })

  test('that reverted has the reason of the contract, or without one that of the chain', async () => {
    const abi = [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }] as const
    const reason = encodeErrorResult({ abi, args: ['not today'] }).slice(2)
    const undone = {
      result: { result: true, message: hex('REVERT opcode executed') },
      transaction: { ret: [{ ret: 'FAILED' }] },
    }
    expect(await failure({ ...undone, constant_result: [reason] })).toEqual({
      message: 'not today',
      isMissing: false,
    })
    expect(await failure({ ...undone, constant_result: [''] })).toEqual({
      message: 'REVERT opcode executed',
      isMissing: false,
    })
    expect(await failure({ ...undone, result: { result: true } })).toEqual({
      message: 'the call failed',
      isMissing: false,
    })
  })

  test('that could not run is not a failure of the node', async () => {
    expect(
      await failure({ result: { code: 'OTHER_ERROR', message: hex('CPU timeout for SSTORE') } }),
    ).toMatchObject({ isMissing: false })
    expect(await failure({ result: { code: 'CONTRACT_EXE_ERROR' } })).toEqual({
      message: 'CONTRACT_EXE_ERROR',
      isMissing: false,
    })
    const missing = { code: 'CONTRACT_VALIDATE_ERROR', message: hex('Smart contract is not exist.') }
    expect(await failure({ result: missing })).toMatchObject({ isMissing: true })
  })

  test.each<[string, unknown]>([
    ['is busy', { result: { code: 'SERVER_BUSY' } }],
    [
      'does not run calls',
      { result: { code: 'CONTRACT_VALIDATE_ERROR', message: hex('this node does not support constant') } },
    ],
    ['fails', { Error: 'class java.lang.NullPointerException : null' }],
    ['answers with a malformed number', { result: { result: true }, energy_used: 'much' }],
    ['answers null', null],
    ['answers text', 'closed'],
  ])('is a failure of a node that %s', async (_what, answer) => {
    await expect(simulated(answer)).rejects.toThrow(ProviderError)
  })
})

describe('an account', () => {
  const read = (answer: unknown) => readAccount(node('/wallet/getaccount', answer), alice)
  const keys = (...weights: number[]) =>
    weights.map((weight, index) => ({ address: account(index + 1), weight }))

  test('that does not exist is empty', async () => {
    expect(await read({})).toEqual({ exists: false, balance: 0n, isContract: false, signsAlone: true })
  })

  test('has its balance, whether it is a contract, and whether its own key is enough', async () => {
    expect(await read({ address: alice, balance: 5 })).toEqual({
      exists: true,
      balance: 5n,
      isContract: false,
      signsAlone: true,
    })
    expect(await read({ address: alice, type: 'Contract' })).toMatchObject({ balance: 0n, isContract: true })
    const owned = async (threshold: number, list: object[]) =>
      (await read({ address: alice, owner_permission: { threshold, keys: list } })).signsAlone
    expect([
      await owned(1, keys(1)),
      await owned(2, keys(1, 1)),
      await owned(1, keys(0, 1).slice(1)),
      await owned(2, keys(2, 1)),
    ]).toEqual([true, false, false, true])
  })

  test.each<[string, unknown]>([
    ['of another address', { address: token, balance: 5 }],
    ['with a balance that is text', { address: alice, balance: '5' }],
    ['with a negative balance', { address: alice, balance: -5 }],
  ])('%s is refused', async (_what, answer) => {
    await expect(read(answer)).rejects.toThrow(ProviderError)
  })

  test('has its unused resources, never below zero', async () => {
    const resources = { freeNetLimit: 600, freeNetUsed: 345, NetLimit: 10, NetUsed: 20, EnergyLimit: 100 }
    expect(await readResources(node('/wallet/getaccountresource', resources), alice)).toEqual({
      freeBandwidth: 255n,
      stakedBandwidth: 0n,
      energy: 100n,
    })
    expect(await readResources(node('/wallet/getaccountresource', {}), alice)).toEqual({
      freeBandwidth: 0n,
      stakedBandwidth: 0n,
      energy: 0n,
    })
  })
})

test('a node without the solidity API has no solidified block, and one that fails is a failure', async () => {
  const answered = (status: number) =>
    readSolidHead(node('/walletsolidity/getnowblock', new RestError('a', status, '')))
  expect([await answered(404), await answered(405)]).toEqual([null, null])
  await expect(answered(500)).rejects.toThrow(ProviderError)
})
