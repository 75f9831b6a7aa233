import { expect, test } from '@jest/globals'
import { invalidParameters } from '../platform/errors.ts'
import { chainNames, knownChain } from './registry.ts'
import { requireChain, requireKnownChain, requireStoredChain, requireToken } from './requireChain.ts'

const ethereum = requireKnownChain('ethereum')
const configured = { chains: [ethereum] }
const naming = (field: string, message: string, code: string, error = 'Invalid request body') =>
  expect.objectContaining({ status: 400, error, fields: [{ field, message, code }] })
const refusal = (check: () => unknown): unknown => {
  try {
    return check()
  } catch (error) {
    return error
  }
}

test('a chain that is not configured is refused, naming the field of the request', () => {
  expect(requireChain(configured, 'ethereum')).toBe(ethereum)
  const message = 'tron is not available on this deployment; this deployment has ethereum'
  const code = 'unavailable_chain'
  expect(refusal(() => requireChain(configured, 'tron'))).toEqual(naming('chain', message, code))
  expect(refusal(() => requireChain(configured, 'tron', { field: 'rules.1.chain' }))).toEqual(
    naming('rules.1.chain', message, code),
  )
  expect(refusal(() => requireChain(configured, 'tron', { invalid: invalidParameters }))).toEqual(
    naming('chain', message, code, 'Invalid request parameters'),
  )
})

test('a chain that was removed from the configuration is found for stored rows', () => {
  expect(requireStoredChain({ chains: [] }, 'tron')).toEqual(knownChain('tron'))
  expect(refusal(() => requireStoredChain(configured, 'dogecoin'))).toEqual(
    naming(
      'chain',
      'dogecoin is not available on this deployment; this deployment has ethereum',
      'unknown_chain',
    ),
  )
})

test('work without a node takes any known chain, and no other', () => {
  expect(requireKnownChain('tron').family).toBe('tron')
  expect(refusal(() => requireKnownChain('dogecoin'))).toEqual(
    naming(
      'chain',
      `dogecoin is not a chain that Cowry knows; it knows ${chainNames.join(', ')}`,
      'unknown_chain',
    ),
  )
})

test('a token that a chain does not have is refused, naming the field', () => {
  expect(requireToken(ethereum, 'USDC').symbol).toBe('USDC')
  expect(refusal(() => requireToken({ name: 'stellar', tokens: [] }, 'USDT'))).toEqual(
    naming('token', 'USDT is not available on stellar', 'unavailable_token'),
  )
})
