import { expect, test } from '@jest/globals'
import type { ActionBuilder } from '../chains/sending.ts'
import type { Verifier } from '../custody/proof.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Intent, TreasuryChain } from './intents.ts'
import { type Check, refusalByPolicy, type Wanted } from './signingPolicy.ts'

const unproven: Verifier = { verifies: () => false }
const tx = { query: async () => [] } as unknown as Tx
const chain = {
  name: 'solana',
  tokens: [],
  lookalikes: [],
  maxFee: 10n,
  cctp: { lookupTable: 'ours' },
} as unknown as TreasuryChain & {
  maxFee: bigint
}

/** A request whose transaction takes accounts from tables. @returns why it is refused */
function refusal(
  tables: readonly string[],
  signer: string,
  without: readonly Check[] = [],
): Promise<string | null> {
  const builder = { maxFee: () => 1n, tables: () => tables } as unknown as ActionBuilder
  const action = { kind: 'calls', from: 'payer', calls: [], spends: [], receives: [] }
  const row = {
    id: 'one',
    status: 'created',
    isCancelled: false,
    businessId: null,
    purpose: 'bridge-mint',
    signer,
    action,
  } as unknown as Intent
  const wanted = { terms: {}, nonce: null, givenUp: [], cancels: false, proof: null } as unknown as Wanted
  const ctx = {
    purposes: [],
    signers: [],
    proofs: { api: unproven, worker: unproven },
    without: ['purpose', ...without] as const,
  }
  return refusalByPolicy(ctx, tx, row, wanted, { chain, builder }).catch((error) => String(error))
}

const foreign = "its accounts come from a lookup table that is not the operator's"

test("the platform and stored wallets take accounts from the operator's own lookup table alone", async () => {
  for (const signer of ['treasury', 'wallet', 'bridge']) {
    expect(await refusal(['ours', 'theirs'], signer)).toBe(foreign)
    expect(await refusal(['theirs'], signer)).toBe(foreign)
    expect(await refusal(['ours'], signer)).toContain('no proof')
    expect(await refusal([], signer)).toContain('no proof')
    expect(await refusal(['theirs'], signer, ['tables'])).toContain('no proof')
  }
})

test("the caller's own key signs the tables of a swap", async () => {
  expect(await refusal(['theirs'], 'caller')).toContain('no proof')
})
