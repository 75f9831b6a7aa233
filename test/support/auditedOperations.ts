import { auditedAdjustments } from './auditedAdjustments.ts'
import { auditedBridge } from './auditedBridge.ts'
import { auditedCollections } from './auditedCollections.ts'
import { auditedDashboard } from './auditedDashboard.ts'
import { auditedPayouts } from './auditedPayouts.ts'
import type { Answered, Operations, Ready, Recipe } from './auditedRecipe.ts'
import { auditedRefunds } from './auditedRefunds.ts'
import { auditedSessions } from './auditedSessions.ts'
import { auditedWallets } from './auditedWallets.ts'
import { auditedWebhooks } from './auditedWebhooks.ts'
import { invited } from './browser.ts'
import { fund, newPayer } from './payers.ts'
import { signPrepared } from './signPrepared.ts'
import { makePlan, makeStakes } from './stakeRow.ts'

let made = 0

/**
 * Prepares each operation of both contracts that changes something, with the audit log entries that it must
 * leave.
 */
export async function makeReady(operationId: string, given: Operations): Promise<Ready> {
  const recipe = recipes[operationId]
  if (!recipe)
    throw new Error(
      `${operationId} changes something: add its audit log entries to test/support/auditedOperations.ts`,
    )
  const person = (role: 'owner' | 'developer' | 'viewer' | 'cashier' = 'developer') =>
    invited(given.stack, given.owner, given.stack.businessId, role, `person${++made}@example.com`)
  return recipe(given, { person })
}

const recipes: Record<string, Recipe> = {
  ...auditedSessions,
  login: async ({ ownerEmail, ownerPassword, ownerIs }) => ({
    path: '/auth/login',
    by: null,
    actor: ownerIs,
    body: () => ({ email: ownerEmail, password: ownerPassword }),
    entries: () => [
      { action: 'account.signed_in', target: ownerIs.id, businessId: null, after: { kind: 'token' } },
    ],
  }),
  changeSession: async ({ stack }) => {
    const { id } = await stack.createSession({ metadata: { table: 4, waiter: 'Ada' } })
    // Only what changed.
    const change = { before: { metadata: { waiter: 'Ada' } }, after: { metadata: { tip: '2' } } }
    const entries = () => [{ action: 'session.changed', target: id, businessId: stack.businessId, ...change }]
    return {
      path: `/pos/sessions/${id}`,
      by: null,
      body: () => ({ metadata: { table: 4, tip: '2' } }),
      entries,
    }
  },
  createTransfer: async ({ stack: { businessId, chain }, payer: { privateKey, address } }) => ({
    path: '/crypto/transfers/tokens',
    by: null,
    body: () => ({ chain, fromPrivateKey: privateKey, toAddress: address, amount: '0.01', token: 'native' }),
    entries: ({ id }) => [{ action: 'transfer.created', target: id, businessId }],
  }),
  executeSwap: async ({ stack }) => {
    const payer = newPayer(stack.chain)
    await fund(stack, payer, { native: '1' })
    const swap = {
      chain: stack.chain,
      sellToken: 'native',
      buyToken: stack.devnet.usdc,
      amount: '0.01',
      privateKey: payer.privateKey,
    }
    const entries = ({ id }: Answered) => [
      { action: 'swap.created', target: id, businessId: stack.businessId },
    ]
    return { path: '/crypto/swaps/execute', by: null, body: () => swap, entries }
  },
  createStake: async ({ stack }) => {
    const payer = newPayer(stack.chain)
    await fund(stack, payer, { native: '1' })
    const planId = await makePlan(stack.db, { token: 'ETH' })
    const body = { chain: stack.chain, planId, amount: '0.01', fromPrivateKey: payer.privateKey }
    const entries = ({ id }: Answered) => [
      { action: 'stake.created', target: id, businessId: stack.businessId },
    ]
    return { path: '/staking/stake', by: null, body: () => body, entries }
  },
  unstake: async ({ stack: { db, businessId, chain }, payer }) => {
    const { stake } = await makeStakes(db, businessId, payer.address)
    const body = { stakeId: stake, chain, fromPrivateKey: payer.privateKey }
    return {
      path: '/staking/unstake',
      by: null,
      body: () => body,
      entries: () => [{ action: 'stake.unstaked', target: stake, businessId }],
    }
  },
  withdrawStake: async ({ stack: { db, businessId, chain }, payer }) => {
    const { unstaked } = await makeStakes(db, businessId, payer.address)
    const entries = () => [{ action: 'stake.withdrawal_requested', target: unstaked, businessId }]
    return { path: '/staking/withdraw', by: null, body: () => ({ stakeId: unstaked, chain }), entries }
  },
  prepareTransfer: async ({ stack: { businessId, chain }, payer: { address } }) => ({
    path: '/crypto/transfers/prepare',
    by: null,
    body: () => ({ chain, fromAddress: address, toAddress: address, amount: '0.01', token: 'native' }),
    entries: ({ id }) => [{ action: 'transfer.prepared', target: id, businessId }],
  }),
  submitTransfer: async ({ stack, payer }) => {
    const requested = {
      chain: stack.chain,
      fromAddress: payer.address,
      toAddress: newPayer(stack.chain).address,
      amount: '0.01',
      token: 'native',
    }
    const { body } = await stack.api<{ id: string; payload: string }>(
      'POST',
      '/crypto/transfers/prepare',
      requested,
    )
    const payload = await signPrepared(stack, payer, body.payload)
    const entries = ({ id }: Answered) => [
      { action: 'transfer.submitted', target: id, businessId: stack.businessId },
    ]
    return { path: '/crypto/transfers/submit', by: null, body: () => ({ id: body.id, payload }), entries }
  },
  setFinality: async ({ stack: { businessId, chain } }) => ({
    path: '/settings/finality',
    by: null,
    body: () => ({ rules: [{ chain, early: { upTo: '20', confirmations: 1 } }] }),
    entries: () => [
      {
        action: 'finality.changed',
        target: null,
        businessId,
        before: {},
        after: { [chain]: { early: { upTo: '20', confirmations: 1 } } },
      },
    ],
  }),
  ...auditedWebhooks,
  ...auditedDashboard,
  ...auditedAdjustments,
  ...auditedBridge,
  ...auditedPayouts,
  ...auditedCollections,
  ...auditedRefunds,
  ...auditedWallets,
}
