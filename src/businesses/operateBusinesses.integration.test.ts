import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createAccount } from '../accounts/createAccount.ts'
import { listAudit } from '../audit/listAudit.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { findInvitation } from '../members/invitations.ts'
import { joinByInvitation } from './acceptInvitation.ts'
import {
  inviteOwner,
  listBusinesses,
  openBusiness,
  plain,
  setApproval,
  setFees,
  viewBusiness,
} from './operateBusinesses.ts'

let database: TestDatabase
const actor = systemActor('test')
const whole = { page: 1, limit: 100, sort: 'ASC' } as const

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** What they took is a matter of sessions. */
const listing = () => ({
  db: database.db,
  volumes: { read: async () => new Map(), sorted: () => Promise.reject(new Error('not used')) },
})
const open = async (name: string) =>
  (await openBusiness(database, actor, { name, ownerEmail: 'Owner@Example.com' })).business.id
const auditedOf = async (businessId: string, action: string) =>
  (
    (await listAudit(database, { businessId, action }, whole)).entries as { before: object; after: object }[]
  ).map(({ before, after }) => ({
    before,
    after,
  }))

test("a business opened for a person has one owner's invitation, and no members before it is accepted", async () => {
  const { business, token } = await openBusiness(database, actor, {
    name: 'Theirs',
    ownerEmail: ' Owner@Example.com ',
  })
  expect(business).toMatchObject({
    name: 'Theirs',
    approval: 'pending',
    feePercent: '0',
    fxMarginPercent: '0',
    owners: [],
  })
  expect(await findInvitation(database.db, token.reveal())).toMatchObject({
    businessId: business.id,
    email: 'owner@example.com',
    role: 'owner',
    purpose: 'member',
  })
})

test('without an owner the invitation can be renewed, also for another address, and only the last link works', async () => {
  const first = await openBusiness(database, actor, { name: 'Lost link', ownerEmail: 'typo@example.com' })
  const { id } = first.business
  const second = await inviteOwner(database, actor, id, 'typo@example.com')
  const third = await inviteOwner(database, actor, id, ' Right@Example.com ')
  const notFoundError = { status: 404, error: 'Not found' }
  for (const { token } of [first, second])
    await expect(findInvitation(database.db, token.reveal())).rejects.toMatchObject(notFoundError)
  const link = await findInvitation(database.db, third.token.reveal())
  expect(link).toMatchObject({ businessId: id, email: 'right@example.com', role: 'owner' })
  expect(third.business).toMatchObject({ id, owners: [] })
  expect((await auditedOf(id, 'member.invited')).map(({ after }) => after)).toEqual([
    { email: 'typo@example.com', role: 'owner' },
    { email: 'typo@example.com', role: 'owner', invitationsVoided: [expect.any(String)] },
    { email: 'right@example.com', role: 'owner', invitationsVoided: [expect.any(String)] },
  ])
  const owner = await createAccount(database.db, {
    email: 'right@example.com',
    name: 'R',
    passwordHash: 'none',
  })
  const from = { kind: 'account', id: owner.id, label: owner.email, address: null, requestId: null } as const
  await joinByInvitation(
    database,
    { accountId: owner.id, signInId: owner.id, actor: from },
    third.token.reveal(),
  )
  await expect(inviteOwner(database, actor, id, 'other@example.com')).rejects.toMatchObject({
    status: 409,
    error: 'business_has_owner',
  })
  await expect(inviteOwner(database, actor, owner.id, 'other@example.com')).rejects.toMatchObject(
    notFoundError,
  )
})

test('when an owner joins while the invitation is renewed, either they join and the renewal is refused, or the old link is void', async () => {
  for (let round = 0; round < 10; round++) {
    const email = `joins${round}@example.com`
    const { business, token } = await openBusiness(database, actor, { name: 'Race', ownerEmail: email })
    const owner = await createAccount(database.db, { email, name: 'J', passwordHash: 'none' })
    const from = { kind: 'account', id: owner.id, label: email, address: null, requestId: null } as const
    const [joined, renewed] = await Promise.allSettled([
      joinByInvitation(database, { accountId: owner.id, signInId: owner.id, actor: from }, token.reveal()),
      inviteOwner(database, actor, business.id, email),
    ])
    expect([joined.status, renewed.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  }
})

test('fees keep their last digit, are shown without trailing zeros, and are audited with their earlier values', async () => {
  const id = await open('Fees')
  expect(
    await setFees(database, actor, id, { feePercent: '1.50', fxMarginPercent: '0.000001' }),
  ).toMatchObject({
    feePercent: '1.5',
    fxMarginPercent: '0.000001',
  })
  await setFees(database, actor, id, { feePercent: '10', fxMarginPercent: '99.999999' })
  expect(await viewBusiness(database, id)).toMatchObject({ feePercent: '10', fxMarginPercent: '99.999999' })
  const numbers = (await auditedOf(id, 'business.fees_changed')).map((entry) =>
    Object.values(entry).map((each) => Object.values(each).map(Number)),
  )
  expect(numbers).toEqual([
    [
      [0, 0],
      [1.5, 0.000001],
    ],
    [
      [1.5, 0.000001],
      [10, 99.999999],
    ],
  ])
})

test('a percentage loses its trailing zeros and keeps its value', () => {
  fc.assert(
    fc.property(fc.nat(99), fc.nat(999_999), (ones, millionths) => {
      const filled = `${ones}.${String(millionths).padStart(6, '0')}`
      expect(Number(plain(filled))).toBe(Number(filled))
      expect(plain(filled)).not.toMatch(/\.\d*0$|\.$/)
    }),
  )
  expect(['100', '10.000000', '0.500000', '0'].map(plain)).toEqual(['100', '10', '0.5', '0'])
})

test('each change of approval is audited with its reason', async () => {
  const id = await open('Approval')
  expect(await setApproval(database, actor, id, 'suspended', 'papers')).toMatchObject({
    approval: 'suspended',
    approvalReason: 'papers',
  })
  expect(await setApproval(database, actor, id, 'approved', null)).toMatchObject({
    approval: 'approved',
    approvalReason: null,
  })
  expect([
    ...(await auditedOf(id, 'business.suspended')),
    ...(await auditedOf(id, 'business.approved')),
  ]).toEqual([
    {
      before: { approval: 'pending', approvalReason: null },
      after: { approval: 'suspended', approvalReason: 'papers' },
    },
    {
      before: { approval: 'suspended', approvalReason: 'papers' },
      after: { approval: 'approved', approvalReason: null },
    },
  ])
})

describe('businesses are found', () => {
  test.each([
    ['50%', ['50% off']],
    ['a_b', ['a_b']],
    ['\\', ['x\\y']],
    ['OFF', ['50% off', '50 off']],
  ])('by %s, matched literally in their name', async (q, names) => {
    for (const name of names)
      if ((await listBusinesses(listing(), { q: name }, whole)).total === 0) await open(name)
    for (const name of ['aXb', 'xy', '50 of'])
      if ((await listBusinesses(listing(), { q: name }, whole)).total === 0) await open(name)
    expect(
      (await listBusinesses(listing(), { q }, whole)).businesses.map(({ name }) => name).toSorted(),
    ).toEqual(names.toSorted())
  })

  test('by approval; a malformed or unknown id is 404', async () => {
    const all = (await listBusinesses(listing(), {}, whole)).businesses
    const approved = (await listBusinesses(listing(), { approval: ['approved'] }, whole)).businesses
    expect(approved).toEqual(all.filter(({ approval }) => approval === 'approved'))
    for (const id of ['x', '00000000-0000-7000-8000-000000000000']) {
      await expect(viewBusiness(database, id)).rejects.toMatchObject({ status: 404 })
      await expect(setApproval(database, actor, id, 'approved', null)).rejects.toMatchObject({ status: 404 })
      await expect(
        setFees(database, actor, id, { feePercent: '1', fxMarginPercent: '1' }),
      ).rejects.toMatchObject({ status: 404 })
    }
  })
})
