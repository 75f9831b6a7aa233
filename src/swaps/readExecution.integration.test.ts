import { describe, expect, test } from '@jest/globals'
import { newPayer } from '../../test/support/payers.ts'
import { type ConfiguredChain, registeredChain } from '../chains/registry.ts'
import type { SwapProvider } from './provider.ts'
import { type ExecutionRequest, readExecution } from './readExecution.ts'

const notAsked = () => Promise.reject(new Error('not asked'))
const provider = (name: SwapProvider['name']): SwapProvider => ({
  name,
  perSecond: 1,
  price: notAsked,
  prepare: notAsked,
})
const chains = (['ethereum', 'base', 'solana'] as const).map(
  (name) => registeredChain(name) as ConfiguredChain,
)
const ctx = { chains, swaps: { evm: provider('0x'), solana: provider('jupiter') } }

/** Tokens that the registry does not know. */
const [sellToken, buyToken] = [`0x${'5e'.repeat(20)}`, `0x${'b1'.repeat(20)}`]
const payer = newPayer('ethereum')
const read = (more: Partial<ExecutionRequest> = {}) =>
  readExecution(ctx, {
    chain: 'base',
    sellToken,
    buyToken,
    amount: '1',
    privateKey: payer.privateKey,
    ...more,
  })

describe('the recipient', () => {
  test('is the sender, if it is left out', () => {
    const { from, to } = read()
    expect([from, to]).toEqual([payer.address.toLowerCase(), payer.address.toLowerCase()])
  })

  test.each([sellToken, buyToken])('is neither of the tokens: %s', (toAddress) => {
    expect(() => read({ toAddress })).toThrow(
      expect.objectContaining({ status: 422, error: 'recipient_is_token' }),
    )
  })

  test('is required on solana', () => {
    const { privateKey, address } = newPayer('solana')
    const onSolana = {
      chain: 'solana',
      sellToken: 'native',
      buyToken: newPayer('solana').address,
      privateKey,
    }
    const [refused, taken] = [() => read(onSolana), () => read({ ...onSolana, toAddress: address })]
    expect(refused).toThrow(
      expect.objectContaining({
        status: 400,
        fields: [{ field: 'toAddress', message: 'is required on solana', code: 'required' }],
      }),
    )
    expect(taken().to).toBe(address)
  })
})
