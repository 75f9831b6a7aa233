import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { addPerson, type Person } from '../../test/support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { insertBusiness, insertMember } from '../../test/support/madeBusiness.ts'
import { insertRefundRow } from '../../test/support/refundRow.ts'
import { actorOf } from '../accounts/signIn.ts'
import { allowPermission, namedPermissions } from '../apiKeys/allowPermission.ts'
import { changeKey, rotateKey } from '../apiKeys/changeKey.ts'
import { createKey, type KeysContext } from '../apiKeys/createKey.ts'
import { generateApiKey } from '../apiKeys/form.ts'
import { storeKey } from '../apiKeys/storeKey.ts'
import type { Actor } from '../audit/recordAudit.ts'
import { acceptInvitation, joinByInvitation } from '../businesses/acceptInvitation.ts'
import { changeMember } from '../businesses/members.ts'
import { inviteMember } from '../members/invitations.ts'
import type { Role } from '../members/role.ts'
import { requestOutflowApproval } from '../outflows/requestOutflowApproval.ts'
import { storeOutflow } from '../outflows/storeOutflow.ts'
import { newId } from '../platform/ids.ts'
import { approvalStateOf } from './approvalState.ts'
import { approvalsOf } from './approvalsOf.ts'
import { decideApproval } from './decideApproval.ts'
import { hasProvenApproval } from './hasProvenApproval.ts'
import { listApprovals } from './listApprovals.ts'
import { approvalMessage } from './proof.ts'

// Who may approve a request: members and keys of a business in a real database.

let database: TestDatabase
let keys: KeysContext
let businessId: string
let [ada, bola]: [Person, Person] = [
  { id: '', email: '' },
  { id: '', email: '' },
]
const here = { address: '127.0.0.1', requestId: 'made-by-a-test' }

beforeAll(async () => {
  database = await createTestDatabase()
  const minRoles = { 'refunds:create': 'developer', 'wallets:send': 'owner' } as const
  const knownPermissions = new Map(
    Object.entries(minRoles).map(([name, minRole]) => [name, { scope: 'write' as const, minRole }]),
  )
  keys = { db: database.db, environment: 'test', knownPermissions }
})
afterAll(() => database?.drop())

/** A business with two owners, whom no other one invited. */
beforeEach(async () => {
  businessId = newId()
  await insertBusiness(database.db, businessId, 'pays')
  ;[ada, bola] = [await addPerson(database), await addPerson(database)]
  for (const { id } of [ada, bola]) await insertMember(database.db, businessId, id)
})

const as = (person: Person): Actor => actorOf(person, here)

/** An account joins by the invitation of an owner. */
async function invited(by: Person, role: Role, person?: Person): Promise<Person> {
  const joining = person ?? (await addPerson(database))
  const { token } = await inviteMember(database, as(by), businessId, { email: joining.email, role })
  await joinByInvitation(
    database,
    { accountId: joining.id, signInId: newId(), actor: as(joining) },
    token.reveal(),
  )
  return joining
}

/**
 * A refund that waits for an approval, of which a customer named the address with a link, or the requester.
 * @returns the approval's id
 */
async function asked(by: { person?: Person; key?: string; namesAddress?: boolean }): Promise<string> {
  const taken = { chain: 'ethereum', token: 'USDC', amount: 1n }
  const wallet = { ...taken, address: `0x${'34'.repeat(20)}`, memo: null }
  const askedBy = { askedByAccount: by.person?.id ?? null, askedByKey: by.key ?? null }
  const refund = {
    kind: 'refund',
    businessId,
    status: 'awaiting_approval',
    ...taken,
    wallet,
    bank: null,
    ...askedBy,
  } as const
  const id = await database.db.tx(async (tx) => {
    const { outflow } = await storeOutflow({ madeBy: 'api', prover: provers.api }, tx, refund)
    if (by.namesAddress) await insertRefundRow(tx, outflow)
    else
      await tx.query("insert into refunds values ($1, 'amount', $2, now() + interval '7 days')", [
        outflow.id,
        randomBytes(32),
      ])
    await requestOutflowApproval(tx, outflow)
    return outflow.id
  })
  return (await approvalsOf(database.db, 'payout', [id])).get(id)?.id ?? ''
}

const effect = { whyOver: async () => null, approved: async () => {}, refused: async () => {} }
const decide = (person: Person, id: string) =>
  decideApproval({ db: database.db, prover: provers.api, decided: { payout: effect } }, as(person), {
    ...{ businessId, id, accountId: person.id, decision: 'approved' as const },
  }).then(
    () => 'approved',
    ({ error }) => error,
  )
/** Each owner's attempt, the first one that counts last. */
const outcomes = async (id: string, ...people: Person[]) => {
  const all: string[] = []
  for (const person of people) all.push(await decide(person, id))
  return all
}
const seen = async (by: Person, id: string) =>
  (await listApprovals(database, businessId, by.id, {}, { page: 1, limit: 20, sort: 'ASC' })).approvals.find(
    (each) => each.id === id,
  )

describe('an approval counts from an owner who', () => {
  test('did not make the request', async () => {
    expect(await outcomes(await asked({ person: ada }), ada, bola)).toEqual(['own_request', 'approved'])
  })

  test('did not invite the member who made it, nor the one who promoted that member', async () => {
    const developer = await invited(ada, 'developer')
    expect(await outcomes(await asked({ person: developer }), ada, bola)).toEqual(['own_request', 'approved'])
    const viewer = await invited(bola, 'viewer')
    await changeMember(database, as(ada), businessId, viewer.id, 'developer')
    const id = await asked({ person: viewer })
    expect(await outcomes(id, ada, bola)).toEqual(['own_request', 'own_request'])
    const third = await invited(ada, 'owner')
    expect(await decide(third, id)).toBe('approved')
  })

  test('stands in no chain of invitations above it', async () => {
    const owner = await invited(ada, 'owner')
    const developer = await invited(owner, 'developer')
    expect(await outcomes(await asked({ person: developer }), owner, ada, bola)).toEqual([
      'own_request',
      'own_request',
      'approved',
    ])
  })

  test('did not open the account of the member, in another business either', async () => {
    const there = newId()
    await insertBusiness(database.db, there, 'another')
    await insertMember(database.db, there, ada.id)
    const email = `${newId()}@cowry.test`
    const { token } = await inviteMember(database, as(ada), there, { email, role: 'viewer' })
    const passwords = { hash: async () => 'hashed' } as never
    const { account } = await acceptInvitation({ db: database.db, passwords }, here, {
      token: token.reveal(),
      name: 'P',
      password: 'quiet-harbour-7',
    })
    const puppet = await invited(bola, 'developer', account)
    expect(await outcomes(await asked({ person: puppet }), ada, bola)).toEqual(['own_request', 'own_request'])
  })

  test('did not make, rotate or permit the key that made it, nor bring in the one who did', async () => {
    const developer = await invited(ada, 'developer')
    const make = async (by: Person, role: Role) =>
      (
        await createKey(keys, { actor: as(by), role }, businessId, {
          name: 'k',
          scope: 'write',
          permissions: ['refunds:create'],
        })
      ).key
    expect(await outcomes(await asked({ key: (await make(ada, 'owner')).id }), ada, bola)).toEqual([
      'own_request',
      'approved',
    ])
    expect(await outcomes(await asked({ key: (await make(developer, 'developer')).id }), ada, bola)).toEqual([
      'own_request',
      'approved',
    ])
    const rotated = await make(ada, 'owner')
    const { key } = await rotateKey(keys, { actor: as(bola), role: 'owner' }, businessId, rotated.id, 60)
    for (const each of [rotated, key])
      expect(await outcomes(await asked({ key: each.id }), ada, bola)).toEqual(['own_request', 'own_request'])
    const permitted = (
      await createKey(keys, { actor: as(ada), role: 'owner' }, businessId, {
        name: 'k',
        scope: 'write',
        permissions: [],
      })
    ).key
    await changeKey(keys, { actor: as(bola), role: 'owner' }, businessId, permitted.id, {
      permissions: ['refunds:create'],
    })
    expect(await outcomes(await asked({ key: permitted.id }), bola, ada)).toEqual([
      'own_request',
      'own_request',
    ])
    const sends = await make(ada, 'owner')
    await allowPermission(
      keys,
      { actor: as(bola), role: 'owner' },
      businessId,
      sends.id,
      namedPermissions.walletSends,
      true,
    )
    await allowPermission(
      keys,
      { actor: as(bola), role: 'owner' },
      businessId,
      sends.id,
      namedPermissions.walletSends,
      false,
    )
    await allowPermission(
      keys,
      { actor: as(ada), role: 'owner' },
      businessId,
      sends.id,
      namedPermissions.walletSends,
      true,
    )
    expect(await outcomes(await asked({ key: sends.id }), bola)).toEqual(['own_request'])
  })

  test('and removing a member, or inviting them again, does not make the inviter independent', async () => {
    const developer = await invited(ada, 'developer')
    await database.db.query('delete from members where business_id = $1 and account_id = $2', [
      businessId,
      developer.id,
    ])
    await invited(bola, 'developer', developer)
    expect(await outcomes(await asked({ person: developer }), ada, bola)).toEqual([
      'own_request',
      'own_request',
    ])
  })
})

test('a request without an independent owner waits and shows it, to each reader, until one joins', async () => {
  const developer = await invited(ada, 'developer')
  const id = await asked({ person: developer })
  expect([await seen(ada, id), await seen(bola, id)]).toMatchObject([
    { state: 'waiting', own: true, needs: 'owner' },
    { state: 'waiting', own: false, needs: 'owner' },
  ])
  await changeMember(database, as(ada), businessId, bola.id, 'viewer')
  expect(await seen(ada, id)).toMatchObject({ state: 'waiting', own: true, needs: 'independent_owner' })
  await changeMember(database, as(ada), businessId, bola.id, 'owner')
  expect(await seen(ada, id)).toMatchObject({ needs: 'owner' })
  expect(await decide(bola, id)).toBe('approved')
  expect(await seen(ada, id)).toMatchObject({ state: 'approved', needs: null })
})

test('a refund to an address that its key named is void once the key may name no address; one with a link is not', async () => {
  const permissions = ['refunds:create', 'refunds:address']
  const key = await storeKey(database, {
    businessId,
    name: 'k',
    scope: 'write',
    permissions,
    key: generateApiKey('test'),
  })
  const ids = [await asked({ key: key.id, namesAddress: true }), await asked({ key: key.id })]
  const states = async () => {
    const rows = await database.db.query<{ id: string }>(
      'select subject_id as id from approvals where id = any($1::uuid[]) order by id',
      [ids],
    )
    return Promise.all(rows.map(({ id }) => approvalStateOf(database.db, 'payout', id)))
  }
  const change = (set: string) => database.db.query(`update api_keys set ${set} where id = $1`, [key.id])
  expect(await states()).toEqual(['waiting', 'waiting'])
  await change("permissions = '{refunds:create}'")
  expect(await states()).toEqual(['void', 'waiting'])
  expect(await decide(bola, ids[0] ?? '')).toBe('approval_void')
  // Keys from before the permission may until a date.
  await change("refund_address_until = now() + interval '1 day'")
  expect(await states()).toEqual(['waiting', 'waiting'])
  await change('refund_address_until = now()')
  expect(await states()).toEqual(['void', 'waiting'])
})

test('a stored approval by an owner who was not independent counts for no process; a promotion after it changes nothing', async () => {
  const developer = await invited(ada, 'developer')
  const standing = async (by: Person) => {
    const id = await asked({ person: developer })
    const decidedAt = new Date()
    const [row] = await database.db.query<{ subjectId: string }>(
      `update approvals set decision = 'approved', decided_by = $2, decided_at = $3 where id = $1 returning subject_id as "subjectId"`,
      [id, by.id, decidedAt],
    )
    const subjectId = row?.subjectId ?? ''
    const people = { askedByAccount: developer.id, askedByKey: null, decidedBy: by.id, decidedAt }
    const proof = provers.api.prove(
      approvalMessage({ id, businessId, subject: 'payout', subjectId, ...people }),
    )
    await database.db.query('update approvals set proof = $2 where id = $1', [id, proof])
    return { subjectId, now: await counts(subjectId) }
  }
  /** For the worker, and for the treasury. */
  const counts = (subjectId: string) =>
    database.db.tx(async (tx) => [
      await approvalStateOf(tx, 'payout', subjectId),
      await hasProvenApproval(tx, proofs.api, 'payout', subjectId),
    ])
  expect((await standing(ada)).now).toEqual(['void', false])
  const good = await standing(bola)
  expect(good.now).toEqual(['approved', true])
  await changeMember(database, as(bola), businessId, developer.id, 'owner')
  expect(await counts(good.subjectId)).toEqual(['approved', true])
})
