import { expect } from '@jest/globals'
import { dashboardTwin } from '../../api/contract.ts'
import type { Answered, Recipe } from './auditedRecipe.ts'
import { twinOf } from './auditedWebhooks.ts'
import type { Browser } from './browser.ts'
import { type Headers, tokenOf } from './dashboardSession.ts'
import { makePayouts } from './madePayout.ts'
import { someAccount } from './sampleRequests.ts'
import type { Stack } from './stack.ts'

const after = {
  kind: 'bank',
  name: null,
  bankName: 'Guaranty Trust Bank',
  country: 'NG',
  currency: 'NGN',
  usableFrom: expect.stringMatching(/^20/),
}

/** The only dead job of its queue, about nothing that exists. */
async function makeDeadJob({ db }: Stack): Promise<string> {
  await db.query("delete from outbox where queue = 'suspense'")
  const [job] = await db.query<{ id: string }>(
    `insert into outbox (queue, payload, tries_left, dead_at) values ('suspense', '{"detectionId": "00000000-0000-7000-8000-000000000000", "reason": "detected"}', 0, now())
     returning id::text`,
  )
  return job?.id ?? ''
}

const shared: Record<string, Recipe> = {
  createPayout: async ({ stack: { db, businessId } }) => {
    const { payoutDestination } = await makePayouts(db, businessId)
    const source = { chain: 'ethereum', token: 'USDC' }
    const after = {
      amount: '1',
      ...source,
      destinationId: payoutDestination,
      receiveAmount: expect.any(String),
      receiveCurrency: 'USDC',
    }
    const entries = ({ id }: Answered) => [{ action: 'payout.created', target: id, businessId, after }]
    return {
      path: '/payouts',
      by: null,
      body: () => ({ amount: '1', source, destination: { id: payoutDestination } }),
      entries,
    }
  },
  cancelPayout: async ({ stack: { db, businessId } }) => {
    const { payout } = await makePayouts(db, businessId)
    return {
      path: `/payouts/${payout}/cancel`,
      by: null,
      entries: () => [{ action: 'payout.cancelled', target: payout, businessId }],
    }
  },
  approvePayout: async ({ stack, ownerEmail, ownerIs }) => {
    const { waitingPayout: target } = await makePayouts(stack.db, stack.businessId)
    const [approval] = await stack.db.query<{ id: string }>(
      'select id from approvals where subject_id = $1',
      [target],
    )
    const of = { businessId: stack.businessId }
    const entries = () => [
      { ...of, action: 'approval.approved', target: approval?.id, after: { payout: target } },
      { ...of, action: 'payout.approved', target, after: { revision: 1 } },
    ]
    const by = withToken(stack, await tokenOf(stack, { email: ownerEmail }))
    return { path: `/payouts/${target}/approve`, by, actor: ownerIs, body: () => ({ revision: 1 }), entries }
  },
  createPayoutBatch: async ({ stack: { db, businessId } }) => {
    const { payoutDestination } = await makePayouts(db, businessId)
    const source = { chain: 'ethereum', token: 'USDC' }
    const entry = { amount: '1', source, destination: { id: payoutDestination } }
    const after = { reference: 'wages', payouts: 2, taken: [{ ...source, amount: '2', payouts: 2 }] }
    const entries = ({ id }: Answered) => [{ action: 'payout_batch.created', target: id, businessId, after }]
    return {
      path: '/payout-batches',
      by: null,
      body: () => ({ reference: 'wages', payouts: [entry, entry] }),
      entries,
    }
  },
  // It stores nothing.
  checkPayoutBatch: async ({ stack: { db, businessId } }) => {
    const { payoutDestination } = await makePayouts(db, businessId)
    const source = { chain: 'ethereum', token: 'USDC' }
    const entry = { amount: '1', source, destination: { id: payoutDestination } }
    return { path: '/payout-batch-checks', by: null, body: () => ({ payouts: [entry] }), entries: () => [] }
  },
  cancelPayoutBatch: async ({ stack: { db, businessId } }) => {
    const { payoutBatch: target } = await makePayouts(db, businessId)
    const entries = () => [{ action: 'payout_batch.cancelled', target, businessId }]
    return { path: `/payout-batches/${target}/cancel`, by: null, entries }
  },
  approvePayoutBatch: async ({ stack, ownerEmail, ownerIs }) => {
    const { waitingBatch: target } = await makePayouts(stack.db, stack.businessId)
    const [approval] = await stack.db.query<{ id: string }>(
      'select id from approvals where subject_id = $1',
      [target],
    )
    const of = { businessId: stack.businessId }
    const entries = () => [
      { ...of, action: 'approval.approved', target: approval?.id, after: { 'payout-batch': target } },
      { ...of, action: 'payout_batch.approved', target, after: { revision: 2 } },
    ]
    const by = withToken(stack, await tokenOf(stack, { email: ownerEmail }))
    return {
      path: `/payout-batches/${target}/approve`,
      by,
      actor: ownerIs,
      body: () => ({ revision: 2 }),
      entries,
    }
  },
  confirmPayoutPrice: async ({ stack: { db, businessId } }) => {
    const { repricedPayout: target } = await makePayouts(db, businessId)
    const after = { rate: '1610', fee: '15', receiveAmount: '1500', receiveCurrency: 'NGN' }
    const entries = () => [{ action: 'payout.price_confirmed', target, businessId, after }]
    return { path: `/payouts/${target}/confirm-price`, by: null, body: () => ({ revision: 1 }), entries }
  },
  markPayoutPaid: async ({ stack: { db, businessId } }) => {
    const { unpaidPayout: target } = await makePayouts(db, businessId)
    const entries = () => [
      { action: 'payout.marked_paid', target, businessId, after: { proof: 'Receipt 17' } },
    ]
    return {
      path: `/payouts/${target}/mark-paid`,
      by: null,
      body: () => ({ revision: 1, proof: 'Receipt 17' }),
      entries,
    }
  },
  createPayoutDestination: async ({ stack: { businessId } }) => {
    const account = someAccount()
    const entries = ({ id }: Answered) => [{ action: 'destination.created', target: id, businessId, after }]
    return { path: '/payout-destinations', by: null, body: () => account, entries }
  },
  archivePayoutDestination: async ({ stack }) => {
    const { status, body } = await stack.api<Answered>('POST', '/payout-destinations', someAccount())
    if (status !== 201) throw new Error(`no destination: ${status}`)
    const entries = () => [
      { action: 'destination.archived', target: body.id, businessId: stack.businessId, before: after },
    ]
    return { path: `/payout-destinations/${body.id}/archive`, by: null, entries }
  },
}

const none = { maxPerPayout: null, maxPerDay: null, approvalAbove: null }
const noLimits = { ...none, nextLimits: none, excessHoldDays: null, nextExcessHold: null }

/** A person with an access token. */
const withToken = ({ processes }: Stack, token: Headers): Browser => ({
  cookies: new Map(),
  async ask<T>(method: string, path: string, body?: unknown, headers?: Headers) {
    const response = await fetch(`http://127.0.0.1:${processes.get('api')?.port()}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...token, ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as T, headers: response.headers }
  },
})

/** Operations on payouts, their destinations, and their settings. */
export const auditedPayouts: Record<string, Recipe> = {
  ...shared,
  ...Object.fromEntries(
    Object.entries(shared).map(([operationId, recipe]) => [dashboardTwin(operationId), twinOf(recipe)]),
  ),
  setPayoutSettings: async ({ owner, ownerIs, stack: { businessId } }) => ({
    path: `/businesses/${businessId}/payout-settings`,
    by: owner,
    actor: ownerIs,
    body: () => ({ coolingOffHours: 48 }),
    entries: () => [
      {
        action: 'payout_settings.changed',
        target: businessId,
        businessId,
        before: { coolingOffHours: 24, next: null, ...noLimits },
        after: { coolingOffHours: 48, next: null, ...noLimits },
      },
    ],
  }),
  setAutopayout: async ({ owner, ownerIs, stack }) => {
    const { businessId } = stack
    const { body } = await stack.api<Answered>('POST', '/payout-destinations', someAccount())
    return {
      path: `/businesses/${businessId}/autopayout`,
      by: owner,
      actor: ownerIs,
      body: () => ({
        payouts: [{ chain: 'ethereum', token: 'USDC', enabled: false, destinationId: body.id }],
      }),
      entries: () => [
        {
          action: 'autopayout.changed',
          target: businessId,
          businessId,
          before: { 'ethereum:USDC': { enabled: false, destinationId: null } },
          after: { 'ethereum:USDC': { enabled: false, destinationId: body.id } },
        },
      ],
    }
  },
  setLegalProfile: async ({ owner, ownerIs, stack: { businessId } }) => ({
    path: `/businesses/${businessId}/legal-profile`,
    by: owner,
    actor: ownerIs,
    body: () => ({
      businessName: 'Ada Stores Ltd',
      registrationNumber: 'RC1234567',
      country: 'NG',
      address: '1 Marina Road, Lagos',
      phone: '+2348012345678',
      email: 'ada@stores.example',
    }),
    entries: () => [
      {
        action: 'legal_profile.changed',
        target: businessId,
        businessId,
        after: { fields: ['businessName', 'registrationNumber', 'country', 'address', 'phone', 'email'] },
      },
    ],
  }),
  replayDeadJob: async ({ owner, ownerIs, stack }) => {
    const target = await makeDeadJob(stack)
    return {
      path: `/operator/dead-jobs/${target}/replay`,
      by: owner,
      actor: ownerIs,
      entries: () => [{ action: 'job.replayed', target, businessId: null, after: { queue: 'suspense' } }],
    }
  },
  replayDeadJobs: async ({ owner, ownerIs, stack }) => {
    await makeDeadJob(stack)
    return {
      path: '/operator/dead-jobs/replay',
      by: owner,
      actor: ownerIs,
      body: () => ({ queue: 'suspense' }),
      entries: () => [{ action: 'jobs.replayed', target: 'suspense', businessId: null, after: { jobs: 1 } }],
    }
  },
  pausePayoutPartner: async ({ owner, ownerIs, stack }) => {
    await stack.db.query('delete from partner_pauses')
    return {
      path: '/operator/payout-partners/yellowcard/pause',
      by: owner,
      actor: ownerIs,
      body: () => ({ reason: 'a settlement is late' }),
      entries: () => [
        {
          action: 'payout_partner.paused',
          target: 'yellowcard',
          businessId: null,
          after: { reason: 'a settlement is late' },
        },
      ],
    }
  },
  resumePayoutPartner: async ({ owner, ownerIs, stack }) => {
    await stack.db.query('delete from partner_pauses')
    await owner.ask('POST', '/operator/payout-partners/yellowcard/pause', { reason: 'a settlement is late' })
    return {
      path: '/operator/payout-partners/yellowcard/resume',
      by: owner,
      actor: ownerIs,
      entries: () => [
        {
          action: 'payout_partner.resumed',
          target: 'yellowcard',
          businessId: null,
          before: { reason: 'a settlement is late' },
        },
      ],
    }
  },
}
