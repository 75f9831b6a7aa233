import { createHash } from 'node:crypto'
import { expect } from '@jest/globals'
import { TOTP } from 'otpauth'
import type { Answered, Operations, Ready, Recipe } from './auditedRecipe.ts'
import { openBrowser, type Person, signedIn } from './browser.ts'
import { goldenFile } from './goldenFiles.ts'
import { createSoftAuthenticator } from './softAuthenticator.ts'
import type { Stack } from './stack.ts'
import { makePlan, planTerms } from './stakeRow.ts'
import { makeWaitingTransfer } from './waitingTransfer.ts'

type NewKey = Pick<Answered, 'key'>

const as = ({ id, email }: Person) => ({ id, label: email })
const noEntries = () => []
let made = 0

/** A change of a person's own account. */
const ofAccount = (
  path: string,
  who: Person,
  action: string,
  change: { before?: object; after?: object } = {},
): Ready => ({
  path,
  by: who.browser,
  actor: as(who),
  entries: () => [{ action, target: who.id, businessId: null, ...change }],
})

async function newBusiness({ owner }: Operations): Promise<string> {
  return (await owner.ask<{ id: string }>('POST', '/businesses', { name: 'Shop' })).body.id
}

type InBusiness = (businessId: string) => Pick<Ready, 'body' | 'entries'>

const inNewBusiness =
  (path: string, what: InBusiness): Recipe =>
  async (given) => {
    const businessId = await newBusiness(given)
    return {
      path: `/businesses/${businessId}${path}`,
      by: given.owner,
      actor: given.ownerIs,
      ...what(businessId),
    }
  }

/** By an operator, to a business that waits for approval. */
const operated =
  (verb: string, what: InBusiness): Recipe =>
  async (given) => {
    const businessId = await newBusiness(given)
    return {
      path: `/operator/businesses/${businessId}/${verb}`,
      by: given.owner,
      actor: given.ownerIs,
      ...what(businessId),
    }
  }

const withNewKey =
  (
    path: string,
    what: (made: NewKey, businessId: string) => Pick<Ready, 'body' | 'entries'>,
    business = newBusiness,
  ): Recipe =>
  async (given) => {
    const businessId = await business(given)
    const { body } = await given.owner.ask<NewKey>('POST', `/businesses/${businessId}/keys`, {
      name: 'till',
      scope: 'write',
    })
    return {
      path: `/businesses/${businessId}/keys/${body.key.id}${path}`,
      by: given.owner,
      actor: given.ownerIs,
      ...what(body, businessId),
    }
  }

const withNewVerificationKey =
  (
    path: string,
    what: (made: NewKey, businessId: string) => Pick<Ready, 'body' | 'entries'>,
    kind = 'secret',
  ): Recipe =>
  async (given) => {
    // An account opens a limited number of businesses.
    const { businessId } = given.stack
    const { body } = await given.owner.ask<NewKey>('POST', `/businesses/${businessId}/verification-keys`, {
      name: 'site',
      kind,
    })
    const target = `/businesses/${businessId}/verification-keys/${body.key.id}${path}`
    return { path: target, by: given.owner, actor: given.ownerIs, ...what(body, businessId) }
  }

async function invitation(
  { owner, stack }: Operations,
  email: string,
  businessId = stack.businessId,
): Promise<{ invitation: { id: string }; token: string }> {
  return (
    await owner.ask<{ invitation: { id: string }; token: string }>(
      'POST',
      `/businesses/${businessId}/invitations`,
      {
        email,
        role: 'viewer',
        delivery: 'link',
      },
    )
  ).body
}

/** Starts to set up an authenticator. @returns a function that makes codes, each usable */
async function authenticator(
  stack: Stack,
  { browser, password, id }: Person,
): Promise<() => Promise<string>> {
  const { body } = await browser.ask<{ uri: string }>('POST', '/me/totp', { password })
  const secret = new URL(body.uri).searchParams.get('secret') ?? ''
  const totp = new TOTP({ secret, digits: 6, period: 30, algorithm: 'SHA1' })
  return async () => {
    await stack.db.query('update accounts set totp_last_step = 0 where id = $1', [id])
    return totp.generate()
  }
}

async function withTotp(stack: Stack, who: Person): Promise<() => Promise<string>> {
  const next = await authenticator(stack, who)
  await who.browser.ask('POST', '/me/totp/enable', { totp: await next() })
  return next
}

/** The default address of a stack. */
const site = 'http://localhost:3000'

interface Asked {
  challenge: string
  rp: { id: string }
  rpId: string
}

/** Starts to add a passkey. @returns the authenticator's answer */
async function newPasskey({ browser, password }: Person, authenticator = createSoftAuthenticator(site)) {
  const { body } = await browser.ask<Asked>('POST', '/me/passkeys/begin', { password })
  return { name: ' Laptop ', passkey: authenticator.create(body) }
}

async function withPasskey(who: Person) {
  const authenticator = createSoftAuthenticator(site)
  const { body } = await who.browser.ask<{ passkey: { id: string } }>(
    'POST',
    '/me/passkeys',
    await newPasskey(who, authenticator),
  )
  const confirmation = async () =>
    authenticator.get((await who.browser.ask<Asked>('POST', '/me/passkeys/confirm')).body)
  return { id: body.passkey.id, confirmation }
}

/** Operations of the dashboard's own contract. */
export const auditedDashboard: Record<string, Recipe> = {
  signIn: async ({ stack, ownerEmail, ownerPassword, ownerIs }) => ({
    path: '/sign-in',
    by: openBrowser(stack),
    actor: ownerIs,
    body: () => ({ email: ownerEmail, password: ownerPassword }),
    entries: () => [
      { action: 'account.signed_in', target: ownerIs.id, businessId: null, after: { kind: 'dashboard' } },
    ],
  }),
  signOut: async (_, { person }) => ofAccount('/sign-out', await person(), 'account.signed_out'),
  signOutEverywhere: async (_, { person }) =>
    ofAccount('/sign-out-everywhere', await person(), 'account.signed_out_everywhere', {
      after: { signInsEnded: 1 },
    }),
  changeAccount: async (_, { person }) => {
    const who = await person()
    const change = { before: { name: who.email }, after: { name: 'Ada' } }
    return { ...ofAccount('/me', who, 'account.renamed', change), body: () => ({ name: 'Ada' }) }
  },
  changePassword: async (_, { person }) => {
    const who = await person()
    const body = () => ({ currentPassword: who.password, newPassword: 'another-quiet-lantern-3' })
    return {
      ...ofAccount('/me/password', who, 'account.password_changed', { after: { signInsEnded: 0 } }),
      body,
    }
  },
  requestReset: async ({ stack, ownerEmail }) => ({
    path: '/reset',
    by: openBrowser(stack),
    body: () => ({ email: ownerEmail }),
    entries: noEntries,
  }),
  chooseDefaultBusiness: async ({ stack: { businessId } }, { person }) => {
    const change = { before: { defaultBusinessId: null }, after: { defaultBusinessId: businessId } }
    return {
      ...ofAccount('/me/default-business', await person(), 'account.default_business_chosen', change),
      body: () => ({ businessId }),
    }
  },
  proveAddress: async (_, { person }) =>
    ofAccount('/me/address-proof', await person(), 'account.proof_asked'),
  beginTotp: async (_, { person }) => {
    const who = await person()
    return {
      path: '/me/totp',
      by: who.browser,
      actor: as(who),
      body: () => ({ password: who.password }),
      entries: noEntries,
    }
  },
  enableTotp: async ({ stack }, { person }) => {
    const who = await person()
    const next = await authenticator(stack, who)
    return {
      ...ofAccount('/me/totp/enable', who, 'account.totp_enabled'),
      body: async () => ({ totp: await next() }),
    }
  },
  confirmFactor: async ({ stack }, { person }) => {
    const who = await person()
    const next = await withTotp(stack, who)
    const body = async () => ({ totp: await next() })
    return {
      ...ofAccount('/me/factor', who, 'account.factor_confirmed', { after: { factor: 'totp' } }),
      body,
    }
  },
  disableTotp: async ({ stack }, { person }) => {
    const who = await person()
    const next = await withTotp(stack, who)
    const body = async () => ({ password: who.password, totp: await next() })
    return { ...ofAccount('/me/totp/disable', who, 'account.totp_disabled'), body }
  },
  renewRecoveryCodes: async ({ stack }, { person }) => {
    const who = await person()
    const next = await withTotp(stack, who)
    const body = async () => ({ password: who.password, totp: await next() })
    return { ...ofAccount('/me/recovery-codes', who, 'account.recovery_codes_renewed'), body }
  },
  beginPasskeySignIn: async ({ stack, ownerEmail, ownerPassword }) => ({
    path: '/sign-in/passkey',
    by: openBrowser(stack),
    body: () => ({ email: ownerEmail, password: ownerPassword }),
    entries: noEntries,
  }),
  beginPasskey: async (_, { person }) => {
    const who = await person()
    return {
      path: '/me/passkeys/begin',
      by: who.browser,
      actor: as(who),
      body: () => ({ password: who.password }),
      entries: noEntries,
    }
  },
  addPasskey: async (_, { person }) => {
    const who = await person()
    const entries = ({ passkey }: Answered) => [
      { action: 'account.passkey_added', target: passkey.id, businessId: null, after: { name: 'Laptop' } },
    ]
    return { path: '/me/passkeys', by: who.browser, actor: as(who), body: () => newPasskey(who), entries }
  },
  beginPasskeyConfirmation: async (_, { person }) => {
    const who = await person()
    await withPasskey(who)
    return { path: '/me/passkeys/confirm', by: who.browser, actor: as(who), entries: noEntries }
  },
  renamePasskey: async (_, { person }) => {
    const who = await person()
    const { id } = await withPasskey(who)
    const change = { before: { name: 'Laptop' }, after: { name: 'Phone' } }
    const entries = () => [{ action: 'account.passkey_renamed', target: id, businessId: null, ...change }]
    return {
      path: `/me/passkeys/${id}`,
      by: who.browser,
      actor: as(who),
      body: () => ({ name: 'Phone' }),
      entries,
    }
  },
  removePasskey: async (_, { person }) => {
    const who = await person()
    const { id, confirmation } = await withPasskey(who)
    const entries = () => [
      { action: 'account.passkey_removed', target: id, businessId: null, before: { name: 'Laptop' } },
    ]
    const body = async () => ({ password: who.password, passkey: await confirmation() })
    return { path: `/me/passkeys/${id}/remove`, by: who.browser, actor: as(who), body, entries }
  },
  revokeSignIn: async ({ stack }, { person }) => {
    const who = await person()
    const before = await who.browser.ask<{ signIns: { id: string }[] }>('GET', '/me/sign-ins')
    await signedIn(stack, { email: who.email, password: who.password })
    const { body } = await who.browser.ask<{ signIns: { id: string }[] }>('GET', '/me/sign-ins')
    const other = body.signIns.find(({ id }) => !before.body.signIns.some((each) => each.id === id))?.id ?? ''
    const entries = () => [{ action: 'account.sign_in_revoked', target: other, businessId: null }]
    return { path: `/me/sign-ins/${other}/revoke`, by: who.browser, actor: as(who), entries }
  },
  lookAtInvitation: async (given) => {
    const { token } = await invitation(given, `looked${++made}@example.com`)
    return {
      path: '/invitations/look',
      by: openBrowser(given.stack),
      body: () => ({ token }),
      entries: noEntries,
    }
  },
  acceptInvitation: async (given) => {
    const email = `joins${++made}@example.com`
    const { token } = await invitation(given, email)
    // The request creates the account: only the answer names it.
    const entries = ({ account: { id } }: Answered) => [
      { action: 'account.created', target: id, businessId: null, after: { email } },
      {
        action: 'member.joined',
        target: id,
        businessId: given.stack.businessId,
        after: { email, role: 'viewer' },
      },
      { action: 'account.signed_in', target: id, businessId: null, after: { kind: 'dashboard' } },
    ]
    const body = () => ({ token, name: 'Joins', password: 'a-long-new-password-1' })
    return { path: '/invitations/accept', by: openBrowser(given.stack), body, entries }
  },
  joinByInvitation: async (given, { person }) => {
    const who = await person()
    const opened = await given.owner.ask<{ id: string }>('POST', '/businesses', { name: 'Joined' })
    const { token } = await invitation(given, who.email, opened.body.id)
    const entries = () => [
      {
        action: 'member.joined',
        target: who.id,
        businessId: opened.body.id,
        after: { email: who.email, role: 'viewer' },
      },
    ]
    return { path: '/invitations/join', by: who.browser, actor: as(who), body: () => ({ token }), entries }
  },
  createBusiness: async ({ owner, ownerIs }) => ({
    path: '/businesses',
    by: owner,
    actor: ownerIs,
    body: () => ({ name: ' Corner Shop ', localCurrency: 'KES', timeZone: 'Africa/Nairobi' }),
    entries: ({ id }) => [
      {
        action: 'business.created',
        target: id,
        businessId: id,
        after: { name: 'Corner Shop', localCurrency: 'KES', timeZone: 'Africa/Nairobi' },
      },
    ],
  }),
  changeBusiness: inNewBusiness('', (id) => ({
    body: () => ({ name: 'Renamed', timeZone: 'Africa/Lagos' }),
    entries: () => [
      {
        action: 'business.renamed',
        target: id,
        businessId: id,
        before: { name: 'Shop' },
        after: { name: 'Renamed' },
      },
      {
        action: 'business.time_zone_changed',
        target: id,
        businessId: id,
        before: { timeZone: 'UTC' },
        after: { timeZone: 'Africa/Lagos' },
      },
    ],
  })),
  setOwnersFactor: async (given) => {
    const businessId = await newBusiness(given)
    // As after two-step sign-in.
    await given.stack.db.query(`update sign_ins set factor = 'totp' where account_id = $1`, [
      given.ownerIs.id,
    ])
    const change = { before: { ownersNeedSecondFactor: false }, after: { ownersNeedSecondFactor: true } }
    const entries = () => [
      { action: 'business.second_factor_set', target: businessId, businessId, ...change },
    ]
    const body = () => ({ ownersNeedSecondFactor: true })
    return {
      path: `/businesses/${businessId}/second-factor`,
      by: given.owner,
      actor: given.ownerIs,
      body,
      entries,
    }
  },
  createTillSession: async ({ stack: { businessId, chain } }, { person }) => {
    const who = await person('cashier')
    return {
      path: `/businesses/${businessId}/till/sessions`,
      by: who.browser,
      actor: as(who),
      body: () => ({ chain, token: 'USDC', amount: '10' }),
      entries: ({ id }) => [{ action: 'session.created', target: id, businessId }],
    }
  },
  cancelTillSession: async ({ stack: { businessId, chain } }, { person }) => {
    const who = await person('cashier')
    const path = `/businesses/${businessId}/till/sessions`
    const { body } = await who.browser.ask<{ id: string }>('POST', path, {
      chain,
      token: 'USDC',
      amount: '10',
    })
    return {
      path: `${path}/${body.id}/cancel`,
      by: who.browser,
      actor: as(who),
      entries: () => [{ action: 'session.cancelled', target: body.id, businessId }],
    }
  },
  changeMember: async ({ stack: { businessId }, owner, ownerIs }, { person }) => {
    const who = await person()
    const change = { before: { role: 'developer' }, after: { email: who.email, role: 'viewer' } }
    const entries = () => [{ action: 'member.changed', target: who.id, businessId, ...change }]
    return {
      path: `/businesses/${businessId}/members/${who.id}`,
      by: owner,
      actor: ownerIs,
      body: () => ({ role: 'viewer' }),
      entries,
    }
  },
  removeMember: async ({ stack: { businessId }, owner, ownerIs }, { person }) => {
    const { id, email } = await person()
    const entries = () => [
      { action: 'member.removed', target: id, businessId, before: { email, role: 'developer' } },
    ]
    return { path: `/businesses/${businessId}/members/${id}/remove`, by: owner, actor: ownerIs, entries }
  },
  leaveBusiness: async ({ stack: { businessId } }, { person }) => {
    const who = await person('viewer')
    const entries = () => [
      { action: 'member.left', target: who.id, businessId, before: { email: who.email, role: 'viewer' } },
    ]
    return { path: `/businesses/${businessId}/leave`, by: who.browser, actor: as(who), entries }
  },
  setNotifications: async ({ stack: { businessId } }, { person }) => {
    const who = await person('viewer')
    const change = { before: { kinds: [] }, after: { kinds: ['paid', 'endpoint_failing'] } }
    const entries = () => [{ action: 'notifications.changed', target: who.id, businessId, ...change }]
    return {
      path: `/businesses/${businessId}/notifications`,
      by: who.browser,
      actor: as(who),
      body: () => ({ kinds: ['endpoint_failing', 'paid'] }),
      entries,
    }
  },
  inviteMember: inNewBusiness('/invitations', (businessId) => ({
    body: () => ({ email: 'New@Example.com', role: 'viewer', delivery: 'link' }),
    entries: (body) => {
      const { id } = body.invitation
      return [
        {
          action: 'member.invited',
          target: id,
          businessId,
          after: { email: 'new@example.com', role: 'viewer' },
        },
      ]
    },
  })),
  revokeInvitation: async (given) => {
    const email = `uninvited${++made}@example.com`
    const { id } = (await invitation(given, email)).invitation
    const { businessId } = given.stack
    const entries = () => [
      { action: 'invitation.revoked', target: id, businessId, before: { email, role: 'viewer' } },
    ]
    return {
      path: `/businesses/${businessId}/invitations/${id}/revoke`,
      by: given.owner,
      actor: given.ownerIs,
      entries,
    }
  },
  createKey: inNewBusiness('/keys', (businessId) => ({
    body: () => ({ name: 'till', scope: 'write', requestsPerMinute: 60 }),
    entries: (body) => {
      const { id, prefix } = body.key
      const after = {
        name: 'till',
        prefix,
        scope: 'write',
        allowedAddresses: null,
        requestsPerMinute: 60,
        permissions: null,
        expiresAt: null,
      }
      return [{ action: 'key.created', target: id, businessId, after }]
    },
  })),
  changeKey: withNewKey('', ({ key: { id } }, businessId) => ({
    body: () => ({ name: 'back office', allowedAddresses: ['10.0.0.7'] }),
    entries: () => [
      {
        action: 'key.changed',
        target: id,
        businessId,
        before: { name: 'till', allowedAddresses: null },
        after: { name: 'back office', allowedAddresses: ['10.0.0.7/32'] },
      },
    ],
  })),
  rotateKey: withNewKey('/rotate', ({ key: { id } }, businessId) => ({
    body: () => ({ overlapSeconds: 60 }),
    entries: (body) => {
      const { key } = body
      const after = { replacedBy: key.id, prefix: key.prefix, expiresAt: expect.any(String) }
      return [{ action: 'key.rotated', target: id, businessId, before: { expiresAt: null }, after }]
    },
  })),
  revokeKey: withNewKey('/revoke', ({ key: { id, prefix } }, businessId) => ({
    entries: () => [{ action: 'key.revoked', target: id, businessId, before: { name: 'till', prefix } }],
  })),
  allowWalletSends: withNewKey('/wallet-sends', ({ key: { id } }, businessId) => ({
    body: () => ({ allowed: true }),
    entries: () => [
      {
        action: 'key.wallet_sends_allowed',
        target: id,
        businessId,
        before: { allowed: false },
        after: { allowed: true },
      },
    ],
  })),
  // In the owner's own business: an owner opens only so many.
  allowRefundAddresses: withNewKey(
    '/refund-addresses',
    ({ key: { id } }, businessId) => ({
      body: () => ({ allowed: true }),
      entries: () => [
        {
          action: 'key.refund_addresses_allowed',
          target: id,
          businessId,
          before: { allowed: false },
          after: { allowed: true },
        },
      ],
    }),
    async ({ stack }) => stack.businessId,
  ),
  createVerificationKey: async ({ owner, ownerIs, stack: { businessId } }) => ({
    path: `/businesses/${businessId}/verification-keys`,
    by: owner,
    actor: ownerIs,
    body: () => ({ name: 'site', kind: 'publishable' }),
    entries: ({ key: { id, prefix } }) => [
      {
        action: 'verification_key.created',
        target: id,
        businessId,
        after: { name: 'site', kind: 'publishable', prefix },
      },
    ],
  }),
  rotateVerificationKey: withNewVerificationKey('/rotate', ({ key: { id } }, businessId) => ({
    body: () => ({ overlapSeconds: 60 }),
    entries: (body) => {
      const { key } = body
      const after = { replacedBy: key.id, prefix: key.prefix, overlapSeconds: 60 }
      return [{ action: 'verification_key.rotated', target: id, businessId, after }]
    },
  })),
  setVerificationKeyOrigins: withNewVerificationKey(
    '/origins',
    ({ key: { id } }, businessId) => {
      const origins = ['https://shop.example']
      const change = { before: { origins: [] }, after: { origins } }
      return {
        body: () => ({ origins }),
        entries: () => [{ action: 'verification_key.origins_changed', target: id, businessId, ...change }],
      }
    },
    'publishable',
  ),
  revokeVerificationKey: withNewVerificationKey('/revoke', ({ key: { id, prefix } }, businessId) => ({
    entries: () => [
      {
        action: 'verification_key.revoked',
        target: id,
        businessId,
        before: { name: 'site', kind: 'secret', prefix },
      },
    ],
  })),
  setKeyLimits: withNewKey('/send-limits', ({ key: { id } }, businessId) => {
    const limits = { amounts: null, destinations: [] }
    const change = { before: { amounts: null, destinations: null }, after: limits }
    return {
      body: () => limits,
      entries: () => [{ action: 'key.limits_changed', target: id, businessId, ...change }],
    }
  }),
  setWalletLimits: async (given) => {
    const businessId = await newBusiness(given)
    const { wallet } = await makeWaitingTransfer(given.stack.db, businessId)
    const limits = { amounts: null, destinations: [] }
    const change = { before: { amounts: null, destinations: null }, after: limits }
    const entries = () => [{ action: 'wallet.limits_changed', target: wallet, businessId, ...change }]
    return {
      path: `/businesses/${businessId}/wallets/${wallet}/send-limits`,
      by: given.owner,
      actor: given.ownerIs,
      body: () => limits,
      entries,
    }
  },
  decideApproval: async (given) => {
    const businessId = await newBusiness(given)
    const { approval, transfer } = await makeWaitingTransfer(given.stack.db, businessId)
    const entries = () => [{ action: 'approval.approved', target: approval, businessId, after: { transfer } }]
    const body = () => ({ decision: 'approved' })
    return {
      path: `/businesses/${businessId}/approvals/${approval}/decision`,
      by: given.owner,
      actor: given.ownerIs,
      body,
      entries,
    }
  },
  setPaymentSettings: inNewBusiness('/payments', (businessId) => ({
    body: () => ({
      localCurrency: 'NGN',
      accepted: [{ chain: 'ethereum', tokens: ['USDC'] }],
      tolerance: { percent: '1' },
      returnHosts: ['Shop.example.com'],
    }),
    entries: () => [
      {
        action: 'payments.changed',
        target: businessId,
        businessId,
        before: { localCurrency: null, accepted: null, tolerance: null, returnHosts: [] },
        after: {
          localCurrency: 'NGN',
          accepted: { ethereum: ['USDC'] },
          tolerance: { percent: '1' },
          returnHosts: ['shop.example.com'],
        },
      },
    ],
  })),
  setLogo: inNewBusiness('/logo', (businessId) => ({
    body: () => ({ image: goldenFile('png').toString('base64') }),
    entries: () => [
      {
        action: 'logo.changed',
        target: businessId,
        businessId,
        before: { logo: null },
        after: { logo: expect.stringMatching(/^[\w-]{43}$/) },
      },
    ],
  })),
  removeLogo: async (given) => {
    const businessId = await newBusiness(given)
    const image = goldenFile('png')
    const logo = createHash('sha256').update(image).digest('base64url')
    await given.stack.db.query(
      `insert into business_logos (business_id, hash, type, image, created_at) values ($1, $2, 'image/png', $3, now())`,
      [businessId, logo, image],
    )
    return {
      path: `/businesses/${businessId}/logo/remove`,
      by: given.owner,
      actor: given.ownerIs,
      entries: () => [
        {
          action: 'logo.removed',
          target: businessId,
          businessId,
          before: { logo },
          after: { logo: null },
        },
      ],
    }
  },
  closeLedgerMonth: inNewBusiness('/ledger/months', (businessId) => ({
    body: () => ({ month: '2026-01' }),
    entries: () => [
      {
        action: 'ledger.month_closed',
        target: businessId,
        businessId,
        after: { month: '2026-01', timeZone: 'UTC' },
      },
    ],
  })),
  setAutosweep: async ({ owner, ownerIs, stack: { businessId } }) => ({
    path: `/businesses/${businessId}/autosweep`,
    by: owner,
    actor: ownerIs,
    body: () => ({ sweeps: [{ chain: 'ethereum', token: 'USDC', enabled: true, threshold: '25.5' }] }),
    entries: () => [
      {
        action: 'autosweep.changed',
        target: businessId,
        businessId,
        before: { 'ethereum:USDC': { enabled: false, threshold: '0' } },
        after: { 'ethereum:USDC': { enabled: true, threshold: '25.5' } },
      },
    ],
  }),
  createStakingPlan: async ({ owner, ownerIs }) => {
    const body = () => ({ chain: 'ethereum', token: 'USDC', ...planTerms })
    const after = { type: 'pooled', chain: 'ethereum', token: 'USDC', ...planTerms }
    const entries = ({ id }: Answered) => [
      { action: 'staking_plan.created', target: id, businessId: null, after },
    ]
    return { path: '/operator/staking-plans', by: owner, actor: ownerIs, body, entries }
  },
  changeStakingPlan: async ({ owner, ownerIs, stack }) => {
    const id = await makePlan(stack.db)
    const changed = {
      before: expect.objectContaining({ apy: '5.5' }),
      after: expect.objectContaining({ apy: '4.25' }),
    }
    const entries = () => [{ action: 'staking_plan.changed', target: id, businessId: null, ...changed }]
    return {
      path: `/operator/staking-plans/${id}`,
      by: owner,
      actor: ownerIs,
      body: () => ({ apy: '4.25' }),
      entries,
    }
  },
  stopStakingPlan: async ({ owner, ownerIs, stack }) => {
    const id = await makePlan(stack.db)
    const entries = () => [{ action: 'staking_plan.stopped', target: id, businessId: null }]
    return { path: `/operator/staking-plans/${id}/stop`, by: owner, actor: ownerIs, entries }
  },
  openBusiness: async ({ owner, ownerIs }) => {
    const email = `opens${++made}@example.com`
    const entries = (body: Answered) => {
      const { id } = body.business
      return [
        {
          action: 'business.created',
          target: id,
          businessId: id,
          after: { name: 'Opened', localCurrency: null, timeZone: 'UTC' },
        },
        {
          action: 'member.invited',
          target: expect.any(String),
          businessId: id,
          after: { email, role: 'owner' },
        },
      ]
    }
    const body = () => ({ name: 'Opened', ownerEmail: email, delivery: 'link' })
    return { path: '/operator/businesses', by: owner, actor: ownerIs, body, entries }
  },
  inviteOwner: async ({ owner, ownerIs }) => {
    const email = `owns${++made}@example.com`
    const opened = await owner.ask<Answered>('POST', '/operator/businesses', {
      name: 'Opened',
      ownerEmail: email,
    })
    const { id } = opened.body.business
    const after = { email, role: 'owner', invitationsVoided: [expect.any(String)] }
    const entries = () => [{ action: 'member.invited', target: expect.any(String), businessId: id, after }]
    return {
      path: `/operator/businesses/${id}/owner-invitation`,
      by: owner,
      actor: ownerIs,
      body: () => ({ ownerEmail: email, delivery: 'link' }),
      entries,
    }
  },
  approveBusiness: operated('approve', (id) => ({
    entries: () => [
      {
        action: 'business.approved',
        target: id,
        businessId: id,
        before: { approval: 'pending', approvalReason: null },
        after: { approval: 'approved', approvalReason: null },
      },
    ],
  })),
  suspendBusiness: operated('suspend', (id) => ({
    body: () => ({ reason: 'papers are missing' }),
    entries: () => [
      {
        action: 'business.suspended',
        target: id,
        businessId: id,
        before: { approval: 'pending', approvalReason: null },
        after: { approval: 'suspended', approvalReason: 'papers are missing' },
      },
    ],
  })),
  giveUpTransfer: async ({ stack, owner, ownerIs }) => {
    // A business opened by an operator does not count against the limit of the account.
    const body = { name: 'Held', ownerEmail: `held${++made}@example.com`, delivery: 'link' }
    const businessId = (await owner.ask<Answered>('POST', '/operator/businesses', body)).body.business.id
    const { transfer } = await makeWaitingTransfer(stack.db, businessId)
    await owner.ask('POST', `/operator/businesses/${businessId}/suspend`, { reason: 'papers are missing' })
    const change = { before: { status: 'created' }, after: { status: 'failed', reason: 'given_up' } }
    const entries = () => [{ action: 'transfer.given_up', target: transfer, businessId, ...change }]
    return {
      path: `/operator/businesses/${businessId}/held-transfers/${transfer}/give-up`,
      by: owner,
      actor: ownerIs,
      entries,
    }
  },
  setCaps: operated('caps', (id) => ({
    body: () => ({ openSessions: 20_000, replaysPerDay: null }),
    entries: () => [
      {
        action: 'business.caps_changed',
        target: id,
        businessId: id,
        before: { openSessions: null },
        after: { openSessions: 20_000 },
      },
    ],
  })),
  setVerificationPrice: async ({ owner, ownerIs }) => ({
    path: '/operator/verification-prices',
    by: owner,
    actor: ownerIs,
    body: () => ({ product: 'verification', country: 'NG', idType: 'voter_id', price: '0.5' }),
    entries: () => [
      {
        action: 'verification_price.set',
        target: 'verification/NG/voter_id',
        businessId: null,
        before: { price: null },
        after: { price: '0.5' },
      },
    ],
  }),
  setTimeZone: operated('time-zone', (id) => ({
    body: () => ({ timeZone: 'Africa/Lagos' }),
    entries: () => [
      {
        action: 'business.time_zone_changed',
        target: id,
        businessId: id,
        before: { timeZone: 'UTC' },
        after: { timeZone: 'Africa/Lagos' },
      },
    ],
  })),
  setFees: operated('fees', (id) => ({
    body: () => ({ feePercent: '1.5', fxMarginPercent: '0' }),
    entries: () => [
      {
        action: 'business.fees_changed',
        target: id,
        businessId: id,
        before: { feePercent: '0', fxMarginPercent: '0' },
        after: { feePercent: '1.5', fxMarginPercent: '0' },
      },
    ],
  })),
}
