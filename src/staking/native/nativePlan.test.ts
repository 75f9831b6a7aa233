import { describe, expect, test } from '@jest/globals'
import { type ChainName, registeredChain } from '../../chains/registry.ts'
import { ApiError } from '../../platform/errors.ts'
import { requireNative } from './nativePlan.ts'

const free = { lockDays: 0, penaltyPercent: '0.00' }
const fieldOf = (
  chain: ChainName,
  contract: string | null,
  lock: { lockDays: number; penaltyPercent: string },
): string | null => {
  try {
    requireNative(registeredChain(chain), contract, lock)
    return null
  } catch (error) {
    return error instanceof ApiError ? (error.fields?.[0]?.field ?? null) : 'another error'
  }
}

describe('a native plan', () => {
  test('is of SOL on solana, without lock and penalty', () => {
    expect(fieldOf('solana', null, free)).toBeNull()
    expect(fieldOf('ethereum', null, free)).toBe('chain')
    expect(fieldOf('solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', free)).toBe('token')
    expect(fieldOf('solana', null, { ...free, lockDays: 1 })).toBe('lockDays')
    expect(fieldOf('solana', null, { ...free, penaltyPercent: '0.01' })).toBe('penaltyPercent')
  })
})
