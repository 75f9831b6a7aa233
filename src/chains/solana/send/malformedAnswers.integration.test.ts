import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Keypair } from '@solana/web3.js'
import fc from 'fast-check'
import {
  newAddress,
  type SolanaSending,
  sent,
  signed,
  sol,
  startSolanaSending,
  token,
} from '../../../../test/support/solanaSending.ts'
import { ProviderError } from '../../chain.ts'
import { ActionRefusedError } from '../../sending.ts'
import { solanaBalanceReader } from '../balanceReader.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { solanaTransferSender } from './transferSender.ts'

let chain: SolanaSending
let from: Keypair
beforeAll(async () => {
  chain = await startSolanaSending()
  from = await chain.wallet(1_000_000_000n)
})
afterAll(() => chain.close())

/** Arbitrary values, some of them similar to valid answers. */
const field = fc.oneof(fc.anything(), fc.constant(null), fc.nat(), fc.integer())
const entry = fc.record(
  Object.fromEntries(
    [
      'slot',
      'err',
      'confirmationStatus',
      'owner',
      'lamports',
      'executable',
      'data',
      'account',
      'pubkey',
      'blockhash',
      'unitsConsumed',
    ].map((name) => [name, field]),
  ),
  { requiredKeys: [] },
)
const answers = fc.oneof(
  field,
  fc.record({
    context: fc.oneof(field, fc.record({ slot: field })),
    value: fc.oneof(field, entry, fc.array(fc.oneof(entry, field), { maxLength: 8 })),
  }),
)

/**
 * Calls `run` with many such answers: it must throw a provider error or a refusal, or return what passes
 * `check`.
 */
async function withstands<T>(
  method: string,
  run: (ctx: SolanaSenderContext) => Promise<T>,
  check: (result: T) => void,
): Promise<void> {
  const attempt = async (answer: unknown) => {
    try {
      check(await run(chain.answering({ [method]: answer })))
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof ActionRefusedError)) throw error
    }
  }
  await fc.assert(fc.asyncProperty(answers, attempt), { numRuns: 60 })
}

describe('a malformed answer', () => {
  test.each([
    'getLatestBlockhash',
    'getMultipleAccounts',
    'getRecentPrioritizationFees',
    'getMinimumBalanceForRentExemption',
    'simulateTransaction',
  ])('to %s fails or refuses the plan, or leaves its fee in bounds', async (method) => {
    const transfer = token(from, newAddress(), 1n, chain.devnet.usdc)
    await withstands(
      method,
      (ctx) => solanaTransferSender(ctx).plan(transfer),
      ({ fee }) => expect(fee.max >= 5000n && fee.max < 3_000_000n).toBe(true),
    )
  })

  test.each(['getEpochInfo', 'getSignatureStatuses', 'getFirstAvailableBlock'])(
    'to %s never makes a transfer unminable that may still be mined',
    async (method) => {
      const { transaction } = await signed(chain.sender, from, sol(from, newAddress(), 1_000_000n))
      await withstands(
        method,
        (ctx) => solanaTransferSender(ctx).outcome(from.publicKey.toBase58(), [sent(transaction)]),
        ({ status }) => method === 'getEpochInfo' || expect(status).not.toBe('unminable'),
      )
    },
  )

  test.each(['getMultipleAccounts', 'getTokenAccountsByOwner'])(
    'to %s fails the reading of balances, or leaves their shape valid',
    async (method) => {
      await withstands(
        method,
        (ctx) => solanaBalanceReader(ctx).balances(chain.faucet.publicKey.toBase58(), [chain.devnet.usdc]),
        ({ native, tokens }) => expect([typeof native, tokens.length]).toEqual(['bigint', 1]),
      )
    },
  )
})
