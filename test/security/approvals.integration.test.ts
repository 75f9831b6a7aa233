import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { revokeKey } from '../../src/apiKeys/changeKey.ts'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import { makeInvitation } from '../../src/members/invitations.ts'
import { newId } from '../../src/platform/ids.ts'
import { countUnsettled } from '../../src/txmgr/dueIntents.ts'
import { runCommand } from '../support/command.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Headers,
  ownHeader,
  type Person,
  sessionOf,
} from '../support/dashboardSession.ts'
import { fund, newPayer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { makeWaitingTransfer } from '../support/waitingTransfer.ts'

const recipient = `0x${'ab'.repeat(20)}`
const limits = {
  amounts: [{ chain: 'ethereum', token: 'native', perTransfer: null, perDay: null, approvalAbove: '0.001' }],
  destinations: null,
}

interface Transfer {
  id: string
  status: string
  reason: string | null
  message: string | null
  txHash: string | null
  approval?: { required: boolean; state: string }
}

let stack: Stack
let wallet: string
/** Creates the key that requests transfers. */
let maker: Person
let second: Person
let key: { id: string; headers: Headers }

beforeAll(async () => {
  stack = await createStack()
})
afterAll(() => stack?.close())

beforeEach(async () => {
  const owner = () => addMember(stack, stack.businessId, 'owner')
  ;[maker, second] = [await owner(), await owner()]
  const payer = newPayer('ethereum')
  await fund(stack, payer, { native: '1' })
  wallet = (
    await stack.api<{ id: string }>('POST', '/crypto/wallets', {
      chain: 'ethereum',
      privateKey: payer.privateKey,
    })
  ).body.id
  const set = await as(maker, 'PUT', `/wallets/${wallet}/send-limits`, limits)
  expect(set.status).toBe(200)
  const secret = generateApiKey('test')
  const keyFields = {
    businessId: stack.businessId,
    name: 'asks',
    scope: 'write',
    permissions: ['wallets:send', 'crypto:read'],
    createdBy: maker.id,
  } as const
  key = {
    id: (await storeKey(stack, { ...keyFields, permissions: [...keyFields.permissions], key: secret })).id,
    headers: { 'x-api-key': secret.reveal() },
  }
})

async function as<T = Record<string, unknown>>(
  person: Person,
  method: string,
  path: string,
  body?: object,
  business = stack.businessId,
) {
  return dashboard<T>(
    stack,
    method,
    `/businesses/${business}${path}`,
    body,
    (await sessionOf(stack, person)).headers,
  )
}

const send = (amount = '0.002', headers: Headers = key.headers) =>
  stack.api<Transfer>(
    'POST',
    `/crypto/wallets/${wallet}/transfers`,
    { toAddress: recipient, amount },
    headers,
  )

const transfer = async (id: string) => (await stack.api<Transfer>('GET', `/crypto/transfers/${id}`)).body

async function approvalOf(transferId: string): Promise<string> {
  const [row] = await stack.db.query<{ id: string }>('select id from approvals where subject_id = $1', [
    transferId,
  ])
  return row?.id ?? ''
}

/** A transfer that waits for a second owner; the worker reconciled it without planning. */
async function waiting(): Promise<{ id: string; approval: string }> {
  const { status, body } = await send()
  expect([status, body.status, body.approval]).toEqual([
    202,
    'pending',
    expect.objectContaining({ required: true, state: 'waiting' }),
  ])
  await waitFor('two reconciles', async () => {
    const [row] = await stack.db.query<{ reconciles: number }>(
      'select reconciles from intents where id = $1',
      [body.id],
    )
    return (row?.reconciles ?? 0) >= 2
  })
  expect(await transactionsOf(body.id)).toEqual([])
  return { id: body.id, approval: await approvalOf(body.id) }
}

const transactionsOf = (id: string) =>
  stack.db.query<{ signed: boolean; void: boolean }>(
    'select signed_at is not null as signed, void_at is not null as void from intent_attempts where intent_id = $1',
    [id],
  )

const decide = (
  person: Person,
  approval: string,
  decision: 'approved' | 'refused' = 'approved',
  business = stack.businessId,
) =>
  as<{ state: string; decidedBy: string; error?: string; message?: string }>(
    person,
    'PUT',
    `/approvals/${approval}/decision`,
    { decision },
    business,
  )

const fails = (id: string, reason: string) =>
  waitFor(`a failed transfer: ${reason}`, async () => {
    const now = await transfer(id)
    return now.status === 'failed' ? now : null
  }).then((now) => expect(now.reason).toBe(reason))

const listed = async (person: Person, query = '') =>
  (
    await as<{ approvals: { id: string; state: string; own: boolean }[] }>(
      person,
      'GET',
      `/approvals${query}`,
    )
  ).body.approvals

const auditOf = (approval: string) =>
  stack.db.query('select action, actor_id as by from audit_log where target = $1 order by id', [approval])

/**
 * A transfer that ended before a decision: its approval is shown so, and a decision is refused with the
 * reason.
 */
async function endedUndecided(id: string, approval: string): Promise<void> {
  const { message, approval: shown } = await transfer(id)
  expect(shown).toMatchObject({ state: 'expired' })
  expect((await listed(second)).find((each) => each.id === approval)).toMatchObject({ state: 'expired' })
  expect((await listed(second, '?waiting=true')).map((each) => each.id)).not.toContain(approval)
  for (const decision of ['approved', 'refused'] as const)
    expect(await decide(second, approval, decision)).toMatchObject({
      status: 409,
      body: { error: 'approval_void', message: `The transfer has ended: ${message}` },
    })
}

describe('a transfer above the amount', () => {
  test('is not planned or signed until a second owner approves it, then it is sent; at or below the amount no approval is needed', async () => {
    const small = await send('0.001')
    expect(small.body.approval).toBeUndefined()
    const { id, approval } = await waiting()
    expect((await countUnsettled(stack.db)).map(({ status }) => status)).toContain('waiting_for_approval')
    const listed = await as<{ approvals: { id: string; transfer: { id: string; amount: string } }[] }>(
      second,
      'GET',
      '/approvals?waiting=true',
    )
    expect(listed.body.approvals.find((each) => each.id === approval)?.transfer).toMatchObject({
      id,
      amount: '0.002',
    })
    expect(await decide(second, approval)).toMatchObject({
      status: 200,
      body: { state: 'approved', decidedBy: second.email },
    })
    expect((await decide(second, approval)).status).toBe(200)
    expect(await auditOf(approval)).toEqual([{ action: 'approval.approved', by: second.id }])
    await waitFor(
      'both to be sent',
      async () => (await transfer(id)).txHash !== null && (await transfer(small.body.id)).txHash !== null,
    )
    expect((await transfer(id)).approval).toMatchObject({ state: 'approved' })
    expect((await decide(second, approval, 'refused')).body.error).toBe('approval_decided')
  })

  test('counts on the day on which it is sent: days of waiting do not add up', async () => {
    const amounts = [{ ...limits.amounts[0], perDay: '0.003' }]
    expect((await as(maker, 'PUT', `/wallets/${wallet}/send-limits`, { ...limits, amounts })).status).toBe(
      200,
    )
    const { id, approval } = await waiting()
    const age = (by: string) =>
      stack.db.query('update intents set created_at = created_at - $2::interval where id = $1', [id, by])
    const another = async () => {
      const { status, body } = await stack.api<{ error?: string }>(
        'POST',
        `/crypto/wallets/${wallet}/transfers`,
        { toAddress: recipient, amount: '0.002' },
        key.headers,
      )
      return [status, body.error]
    }
    await age('71 hours')
    expect(await another()).toEqual([403, 'limit_exceeded'])
    // Restore its creation time, which the proof covers.
    await age('-71 hours')
    expect((await decide(second, approval)).status).toBe(200)
    await waitFor('the settlement', async () => {
      await stack.mine()
      return (
        (await stack.db.query('select 1 from intents where id = $1 and next_reconcile_at is null', [id]))
          .length > 0
      )
    })
    await age('71 hours')
    expect(await another()).toEqual([403, 'limit_exceeded'])
    await stack.db.query(
      "update intent_attempts set signed_at = now() - interval '24 hours 1 second' where intent_id = $1",
      [id],
    )
    expect(await another()).toEqual([202, undefined])
  })

  test('is never approved by the creator of its key, nor by a developer, and fails after a refusal', async () => {
    const { id, approval } = await waiting()
    const isOwnOf = async (person: Person) => (await listed(person)).find((each) => each.id === approval)?.own
    expect([await isOwnOf(maker), await isOwnOf(second)]).toEqual([true, false])
    expect(await decide(maker, approval)).toMatchObject({ status: 403, body: { error: 'own_request' } })
    expect((await decide(await addMember(stack, stack.businessId, 'developer'), approval)).body.error).toBe(
      'insufficient_role',
    )
    expect(await auditOf(approval)).toEqual([])
    expect((await decide(maker, approval, 'refused')).status).toBe(200)
    await fails(id, 'approval_refused')
    expect((await decide(second, approval)).body.error).toBe('approval_decided')
    expect(await transactionsOf(id)).toEqual([])
  })

  test('is never approved by the person who requested it with an access token', async () => {
    const { body: login } = await stack.api<{ accessToken: string }>('POST', '/auth/login', {
      email: maker.email,
      password: 'quiet-harbour-lantern-7',
    })
    const response = await fetch(
      `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/crypto/wallets/${wallet}/transfers`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${login.accessToken}`,
          'x-business-id': stack.businessId,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ toAddress: recipient, amount: '0.002' }),
      },
    )
    const { id } = (await response.json()) as Transfer
    const approval = await approvalOf(id)
    expect((await decide(maker, approval)).body.error).toBe('own_request')
    // After its requester has left it can no longer be approved, and fails.
    expect((await as(second, 'POST', `/members/${maker.id}/remove`)).status).toBe(200)
    expect((await decide(second, approval)).status).toBe(409)
    await fails(id, 'approval_void')
  })

  test('fails when it is not approved in time', async () => {
    const { id, approval } = await waiting()
    await stack.db.query("update approvals set expires_at = now() - interval '1 second' where id = $1", [
      approval,
    ])
    expect((await decide(second, approval)).status).toBe(409)
    await fails(id, 'approval_expired')
  })

  test('fails when its key is revoked before the approval', async () => {
    const { id, approval } = await waiting()
    await revokeKey(stack, systemActor('test'), stack.businessId, key.id)
    expect((await decide(second, approval)).status).toBe(409)
    await fails(id, 'approval_void')
    await endedUndecided(id, approval)
  })

  test('that the operator gives up waits for no approval any more', async () => {
    const { id, approval } = await waiting()
    const actor = systemActor('test')
    expect((await runCommand(stack, 'intents', [])).out).toMatch(
      new RegExp(`^${id} .* waiting_for_approval `, 'm'),
    )
    await setApproval(stack, actor, stack.businessId, 'suspended', 'papers')
    try {
      const operator = (await sessionOf(stack, await addPerson(stack, { operator: true }))).headers
      const path = `/operator/businesses/${stack.businessId}/held-transfers?sort=DESC`
      const { body } = await dashboard<{ transfers: object[] }>(stack, 'GET', path, undefined, operator)
      expect(body.transfers).toContainEqual(
        expect.objectContaining({ id, status: 'pending', reason: 'held', waitsForApproval: true }),
      )
      expect((await runCommand(stack, 'business', ['show', stack.businessId])).out).toMatch(
        new RegExp(`^${id} .* waiting_for_approval$`, 'm'),
      )
      expect((await runCommand(stack, 'business', ['give-up', stack.businessId, id])).code).toBe(0)
    } finally {
      await setApproval(stack, actor, stack.businessId, 'approved', null)
    }
    expect((await transfer(id)).reason).toBe('given_up')
    await endedUndecided(id, approval)
  })

  test('is decided once when owners decide at the same time', async () => {
    const { id, approval } = await waiting()
    const third = await addMember(stack, stack.businessId, 'owner')
    const answers = await Promise.all([
      decide(second, approval),
      decide(third, approval, 'refused'),
      decide(second, approval),
      decide(third, approval, 'refused'),
    ])
    const entries = await auditOf(approval)
    expect(entries).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    const now = await waitFor('the outcome', async () => {
      const each = await transfer(id)
      return each.status === 'failed' || each.txHash !== null ? each : null
    })
    expect(now.approval?.state === 'approved').toBe(now.txHash !== null)
  })
})

describe('one owner alone', () => {
  const unlimited = { amounts: null, destinations: null }
  type Waits = { role?: string; amounts?: object[] | null; approval?: { id: string; state: string } }

  const setLimits = (person: Person, newLimits: object, of = wallet, business = stack.businessId) =>
    as<Waits>(person, 'PUT', `/wallets/${of}/send-limits`, newLimits, business)

  /** Creates a second account of the same person through a link. */
  async function invitePuppet(person: Person, business = stack.businessId): Promise<Person> {
    const email = `puppet-${newId()}@cowry.test`
    const { status, body } = await as<{ token: string }>(
      person,
      'POST',
      '/invitations',
      { email, role: 'owner', delivery: 'link' },
      business,
    )
    expect(status).toBe(201)
    const accepted = { token: body.token, name: 'Puppet', password: 'quiet-harbour-lantern-7' }
    const joined = await dashboard<{ account: { id: string } }>(
      stack,
      'POST',
      '/invitations/accept',
      accepted,
      ownHeader,
    )
    expect(joined.status).toBe(200)
    return { id: joined.body.account.id, email }
  }

  const roleOf = async ({ id }: Person, business = stack.businessId) => {
    const [row] = await stack.db.query<{ role: string }>(
      'select role from members where business_id = $1 and account_id = $2',
      [business, id],
    )
    return row?.role
  }
  const waitingFor = async (subject: string, business = stack.businessId) => {
    const { body } = await as<{ approvals: { id: string; subject: string; owner?: { email: string } }[] }>(
      maker,
      'GET',
      '/approvals?waiting=true',
      undefined,
      business,
    )
    return body.approvals.filter((each) => each.subject === subject)
  }

  test('cannot make a second owner to approve without another owner: the invited account stays a viewer until then', async () => {
    const { approval } = await waiting()
    const puppet = await invitePuppet(maker)
    expect(await roleOf(puppet)).toBe('viewer')
    expect((await decide(puppet, approval)).body.error).toBe('insufficient_role')
    // A second request in another way is the same approval.
    expect(await as<Waits>(maker, 'PATCH', `/members/${puppet.id}`, { role: 'owner' })).toMatchObject({
      status: 202,
      body: { role: 'viewer' },
    })
    const asked = (await waitingFor('owner')).filter(({ owner }) => owner?.email === puppet.email)
    expect(asked).toHaveLength(1)
    const id = asked[0]?.id ?? ''
    expect((await decide(maker, id)).body.error).toBe('own_request')
    expect((await decide(puppet, id)).body.error).toBe('insufficient_role')
    expect(await decide(second, id)).toMatchObject({
      status: 200,
      body: { state: 'approved', subject: 'owner', transfer: null },
    })
    expect(await roleOf(puppet)).toBe('owner')
    expect(await auditOf(id)).toEqual([
      { action: 'approval.asked', by: puppet.id },
      { action: 'approval.approved', by: second.id },
    ])
  })

  test('cannot promote an account that the operator locked, also after its reset: it must be requested again', async () => {
    const developer = await addMember(stack, stack.businessId, 'developer')
    const ask = async () =>
      (await as<Waits>(maker, 'PATCH', `/members/${developer.id}`, { role: 'owner' })).body.approval?.id ?? ''
    const before = await ask()
    expect((await runCommand(stack, 'account', ['lock', developer.email])).code).toBe(0)
    expect((await waitingFor('owner')).map(({ id }) => id)).not.toContain(before)
    const asked = await ask()
    expect(await decide(second, asked)).toMatchObject({
      status: 409,
      body: { error: 'approval_void', message: expect.stringContaining('is locked') },
    })
    // As a reset leaves it.
    await stack.db.query('update accounts set locked_at = null where id = $1', [developer.id])
    expect(await decide(second, before)).toMatchObject({ status: 409, body: { error: 'approval_expired' } })
    expect(await roleOf(developer)).toBe('developer')
  })

  test('needs no other owner when an operator invites the owner', async () => {
    const [operator, invited] = [await addPerson(stack, { operator: true }), await addPerson(stack)]
    const offer = {
      purpose: 'member',
      businessId: stack.businessId,
      role: 'owner',
      email: invited.email,
      invitedBy: operator.id,
    } as const
    const { token } = await makeInvitation(stack.db, offer)
    const { headers } = await sessionOf(stack, invited)
    expect(
      (await dashboard(stack, 'POST', '/invitations/join', { token: token.reveal() }, headers)).status,
    ).toBe(200)
    expect(await roleOf(invited)).toBe('owner')
  })

  test('cannot remove a limit without another owner, but can set a stricter one at once', async () => {
    const asked = await setLimits(maker, unlimited)
    expect(asked).toMatchObject({ status: 202, body: { ...limits, approval: { state: 'waiting' } } })
    const id = asked.body.approval?.id ?? ''
    expect((await setLimits(maker, unlimited)).body.approval?.id).toBe(id)
    await waiting()
    expect((await decide(maker, id)).body.error).toBe('own_request')
    // The limits have changed since the request.
    const stricter = { ...limits, amounts: [{ ...limits.amounts[0], perTransfer: '1' }] }
    expect((await setLimits(maker, stricter)).status).toBe(200)
    expect((await decide(second, id)).body.error).toBe('approval_void')
    expect((await decide(second, id, 'refused')).status).toBe(200)
    const again = (await setLimits(maker, unlimited)).body.approval?.id ?? ''
    expect(await decide(second, again)).toMatchObject({
      status: 200,
      body: { limits: { kind: 'wallet', before: stricter, after: unlimited } },
    })
    expect((await send()).body.approval).toMatchObject({ state: 'waiting' })
    // The cooling-off time passes.
    await stack.db.query('update send_limits set next_from = now() where subject_id = $1', [wallet])
    expect((await send()).body.approval).toBeUndefined()
    const changes = await stack.db.query(
      "select actor_id as by from audit_log where target = $1 and action = 'wallet.limits_changed' order by id",
      [wallet],
    )
    expect(changes).toEqual([{ by: maker.id }, { by: maker.id }, { by: second.id }])
  })

  test('cannot have a developer of their own request it, nor one that this developer brought in', async () => {
    const email = `dev-${newId()}@cowry.test`
    const { body } = await as<{ token: string }>(maker, 'POST', '/invitations', {
      email,
      role: 'developer',
      delivery: 'link',
    })
    const accepted = { token: body.token, name: 'Puppet', password: 'quiet-harbour-lantern-7' }
    const joined = await dashboard<{ account: { id: string } }>(
      stack,
      'POST',
      '/invitations/accept',
      accepted,
      ownHeader,
    )
    const puppet = { id: joined.body.account.id, email }
    const made = await as<{ key: { id: string }; secret: string }>(puppet, 'POST', '/keys', {
      name: 'theirs',
      scope: 'write',
    })
    expect(made.status).toBe(201)
    await stack.db.query("update api_keys set permissions = '{wallets:send,crypto:read}' where id = $1", [
      made.body.key.id,
    ])
    const { body: sent } = await send('0.002', { 'x-api-key': made.body.secret })
    expect(sent.approval).toMatchObject({ state: 'waiting', needs: 'owner' })
    const approval = await approvalOf(sent.id)
    expect((await decide(maker, approval)).body.error).toBe('own_request')
    expect((await decide(second, approval)).status).toBe(200)
  })

  test('gains nothing by removing the other owner: that one still counts for 72 hours', async () => {
    const owner = await addPerson(stack)
    const business = await addBusiness(stack, owner)
    const { wallet: of } = await makeWaitingTransfer(stack.db, business)
    const other = await addMember(stack, business, 'owner')
    expect((await setLimits(owner, limits, of, business)).status).toBe(200)
    expect((await as(owner, 'PATCH', `/members/${other.id}`, { role: 'developer' }, business)).status).toBe(
      200,
    )
    expect((await as(owner, 'POST', `/members/${other.id}/remove`, undefined, business)).status).toBe(200)
    expect((await setLimits(owner, unlimited, of, business)).status).toBe(202)
    expect(await roleOf(await invitePuppet(owner, business), business)).toBe('viewer')
    await stack.db.query(
      "update businesses set owner_removed_at = now() - interval '72 hours' where id = $1",
      [business],
    )
    expect((await setLimits(owner, unlimited, of, business)).status).toBe(200)
  })

  test('cannot approve requests of a key that they allowed to send, even one that another member created', async () => {
    const developer = await addMember(stack, stack.businessId, 'developer')
    const made = await as<{ key: { id: string }; secret: string }>(developer, 'POST', '/keys', {
      name: 'theirs',
      scope: 'write',
    })
    const permissions = ['wallets:send', 'crypto:read']
    expect((await as(maker, 'PATCH', `/keys/${made.body.key.id}`, { permissions })).status).toBe(200)
    const { status, body } = await send('0.002', { 'x-api-key': made.body.secret })
    expect(status).toBe(202)
    const approval = await approvalOf(body.id)
    expect((await decide(maker, approval)).body.error).toBe('own_request')
    expect((await decide(second, approval, 'refused')).status).toBe(200)
  })

  test('of a business without other owners can set limits, and can invite an owner who approves', async () => {
    const owner = await addPerson(stack)
    const business = await addBusiness(stack, owner)
    const { wallet: of, approval } = await makeWaitingTransfer(stack.db, business)
    for (const each of [limits, unlimited, limits])
      expect((await setLimits(owner, each, of, business)).status).toBe(200)
    const other = await invitePuppet(owner, business)
    expect(await roleOf(other, business)).toBe('owner')
    expect((await decide(other, approval, 'approved', business)).status).toBe(200)
  })
})

describe('treasury and planner check the approval themselves', () => {
  /** A plan for the transfer, as the worker would write it. */
  async function forgePlan(id: string): Promise<void> {
    const terms = { gas: '21000', maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000', l1Fee: '0' }
    await stack.db.query(
      `with planned as (
         insert into intent_attempts (intent_id, number, chain, nonce, terms)
         select id, (select coalesce(max(number) + 1, 0) from intent_attempts where intent_id = o.id), chain, 0, $2 from intents o where id = $1
         returning intent_id)
       insert into intent_nonces (chain, address, nonce, intent_id) select chain, from_address, 0, id from intents where id = $1`,
      [id, JSON.stringify(terms)],
    )
  }

  test('a plan that was written without approval is not signed, and the transfer still waits', async () => {
    const { id, approval } = await waiting()
    await forgePlan(id)
    await waitFor('the refusal by the treasury', async () =>
      (await transactionsOf(id)).every((each) => each.void),
    )
    expect(await transactionsOf(id)).toEqual([{ signed: false, void: true }])
    expect(await transfer(id)).toMatchObject({ status: 'pending', approval: { state: 'waiting' } })
    expect(approval).not.toBe('')
  })

  test('an approval does not count after its owner lost the role', async () => {
    // The chain is paused, so that nothing is planned in between.
    const { id, approval } = await waiting()
    await stack.db.query("insert into sending_pauses (chain, reason) values ('ethereum', 'test')")
    try {
      expect((await decide(second, approval)).status).toBe(200)
      expect((await as(maker, 'PATCH', `/members/${second.id}`, { role: 'developer' })).status).toBe(200)
    } finally {
      await stack.db.query("delete from sending_pauses where chain = 'ethereum'")
    }
    await fails(id, 'approval_void')
    expect(await transactionsOf(id)).toEqual([])
  })
})
