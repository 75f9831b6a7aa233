import { expect } from '@jest/globals'
import { dashboardTwin } from '../../api/contract.ts'
import type { Answered, Recipe } from './auditedRecipe.ts'
import { twinOf } from './auditedWebhooks.ts'
import { someAccount } from './sampleRequests.ts'

const after = {
  kind: 'bank',
  name: null,
  bankName: 'Guaranty Trust Bank',
  country: 'NG',
  currency: 'NGN',
  usableFrom: expect.stringMatching(/^20/),
}

const shared: Record<string, Recipe> = {
  createPayoutDestination: async ({ stack: { businessId } }) => {
    const account = someAccount()
    const entries = ({ id }: Answered) => [{ action: 'destination.created', target: id, businessId, after }]
    return { path: '/payout-destinations', by: null, body: () => account, entries }
  },
  archivePayoutDestination: async ({ stack }) => {
    const { status, body } = await stack.api<Answered>('POST', '/payout-destinations', someAccount())
    if (status !== 201) throw new Error(`no destination: ${status}`)
    const entries = () => [{ action: 'destination.archived', target: body.id, businessId: stack.businessId, before: after }]
    return { path: `/payout-destinations/${body.id}/archive`, by: null, entries }
  },
}

/** Operations on destinations of payouts, and on the settings of payouts. */
export const auditedPayouts: Record<string, Recipe> = {
  ...shared,
  ...Object.fromEntries(Object.entries(shared).map(([operationId, recipe]) => [dashboardTwin(operationId), twinOf(recipe)])),
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
        before: { coolingOffHours: 24, next: null },
        after: { coolingOffHours: 48, next: null },
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
      body: () => ({ payouts: [{ chain: 'ethereum', token: 'USDC', enabled: false, destinationId: body.id }] }),
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
  pausePayoutPartner: async ({ owner, ownerIs, stack }) => {
    await stack.db.query('delete from partner_pauses')
    return {
      path: '/operator/payout-partners/yellowcard/pause',
      by: owner,
      actor: ownerIs,
      body: () => ({ reason: 'a settlement is late' }),
      entries: () => [{ action: 'payout_partner.paused', target: 'yellowcard', businessId: null, after: { reason: 'a settlement is late' } }],
    }
  },
  resumePayoutPartner: async ({ owner, ownerIs, stack }) => {
    await stack.db.query('delete from partner_pauses')
    await owner.ask('POST', '/operator/payout-partners/yellowcard/pause', { reason: 'a settlement is late' })
    return {
      path: '/operator/payout-partners/yellowcard/resume',
      by: owner,
      actor: ownerIs,
      entries: () => [{ action: 'payout_partner.resumed', target: 'yellowcard', businessId: null, before: { reason: 'a settlement is late' } }],
    }
  },
}
