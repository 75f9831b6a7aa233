import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { appKey } from '../../test/support/template.ts'
import { createAccount } from '../accounts/createAccount.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { createBusiness } from '../businesses/manageBusiness.ts'
import { changeMember, removeMember } from '../businesses/members.ts'
import { aboutNothing, type EventType, recordEvents } from '../events/recordEvents.ts'
import type { OutgoingMail, SendOutcome } from '../mail/smtp.ts'
import type { Role } from '../members/role.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { chooseNotifications, readNotifications } from './chooseNotifications.ts'
import { type NotificationKind, notificationKinds } from './kinds.ts'
import { makeNotifications } from './makeNotifications.ts'
import { type NotificationContext, sendDueNotification } from './sendDueNotification.ts'
import { unsubscribe } from './unsubscribe.ts'
import { choiceOfToken, unsubscribeToken } from './unsubscribeToken.ts'

const actor = systemActor('test')
const key = new Secret(appKey)
let database: TestDatabase
let ctx: NotificationContext
let sent: OutgoingMail[] = []
let outcome: SendOutcome = { outcome: 'sent' }
const outcomes: string[] = []
let businessId: string
let owner: string

beforeAll(async () => {
  database = await createTestDatabase()
  ctx = {
    db: database.db,
    log: createLog('test', 'silent'),
    appKey: key,
    baseUrl: 'https://pay.example.com/',
    async send(mail) {
      if (outcome.outcome === 'sent') sent.push(mail)
      return outcome
    },
    retrySeconds: [60],
    observe: (each) => void outcomes.push(each),
  }
})
afterAll(() => database?.drop())
beforeEach(async () => {
  sent = []
  outcomes.length = 0
  outcome = { outcome: 'sent' }
  owner = await person()
  businessId = await business(owner)
})

async function person({ proven = true } = {}): Promise<string> {
  const { id } = await createAccount(database.db, {
    email: `${newId()}@example.com`,
    name: 'P',
    passwordHash: 'none',
  })
  if (proven) await database.db.query('update accounts set email_proven_at = now() where id = $1', [id])
  return id
}
const business = async (of: string, name = 'Shop') =>
  (await createBusiness(database, { ...actor, kind: 'account', id: of }, of, { name })).id
async function member(role: Role, who?: string): Promise<string> {
  const id = who ?? (await person())
  await database.db.query('insert into members (business_id, account_id, role) values ($1, $2, $3)', [
    businessId,
    id,
    role,
  ])
  return id
}
const choose = (accountId: string, ...kinds: NotificationKind[]) =>
  chooseNotifications(database, { actor, accountId }, businessId, kinds)
const kindsOf = async (accountId: string) =>
  (await readNotifications({ db: database.db, mailing: null }, businessId, accountId)).kinds
const happen = (type: EventType, count = 1, data: object = session, of = businessId) =>
  database.db.tx(async (tx) =>
    recordEvents(
      tx,
      of,
      Array.from({ length: count }, () => ({ type, data, about: aboutNothing })),
    ),
  )
const session = {
  id: '01a1f93f-821b-7439-bb21-110bf7cf8615',
  chain: 'base',
  token: 'USDC',
  amountExpected: '12.50',
  amountReceived: '12.50',
  label: 'Table 4',
  reference: 'order-7',
}
const make = async (waitSeconds = [60]) => {
  while (await makeNotifications({ db: database.db, waitSeconds }));
}
const makeDue = () => database.db.query(`update notification_choices set next_at = now()`)
const sendAll = async () => {
  while (await sendDueNotification(ctx));
}
async function mailed(): Promise<OutgoingMail[]> {
  await makeDue()
  await make()
  await sendAll()
  return sent.splice(0)
}
const emailOf = async (id: string) =>
  (await database.db.query<{ email: string }>('select email from accounts where id = $1', [id]))[0]?.email
const countOf = ({ subject }: OutgoingMail) => Number(subject.split(' ')[0]?.replaceAll(',', ''))

test('an owner gets failures by default, others nothing; each member has what they chose', async () => {
  const viewer = await member('viewer')
  expect([await kindsOf(owner), await kindsOf(viewer)]).toEqual([['payout_failed', 'endpoint_failing'], []])
  await choose(owner, 'exception')
  await choose(viewer, 'paid', 'payout_failed')
  expect([await kindsOf(owner), await kindsOf(viewer)]).toEqual([['exception'], ['paid', 'payout_failed']])
  await happen('session.paid')
  await happen('session.underpaid')
  await happen('payout.completed')
  expect((await mailed()).map(({ to, subject }) => [to, subject]).toSorted()).toEqual(
    [
      [await emailOf(owner), '1 payment is not as requested at pay.example.com'],
      [await emailOf(viewer), '1 payment was paid at pay.example.com'],
    ].toSorted(),
  )
  expect(await mailed()).toEqual([])
})

test('the mail names amount, token, label and reference, links to the page, and can be stopped', async () => {
  await choose(owner, 'paid')
  await happen('session.paid')
  const [mail] = await mailed()
  expect(mail?.text).toContain('1 payment was paid, of the business "Shop" at pay.example.com.')
  expect(mail?.text).toContain('12.50 USDC on base, "Table 4", reference "order-7"')
  expect(mail?.text).toContain(`https://pay.example.com/dashboard/b/${businessId}/payments/${session.id}`)
  const token = unsubscribeToken(key, { businessId, accountId: owner, kind: 'paid' })
  expect(mail?.headers).toEqual({
    'List-Unsubscribe': `<https://pay.example.com/unsubscribe/${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect(await unsubscribe(ctx, token, '192.0.2.1')).toBe(true)
  expect(await kindsOf(owner)).toEqual([])
  await happen('session.paid')
  expect(await mailed()).toEqual([])
  const audited = await database.db.query(
    `select actor_label as label, before, after from audit_log where business_id = $1 and action = 'notifications.changed' order by id desc limit 1`,
    [businessId],
  )
  expect(audited).toEqual([{ label: 'link of a mail', before: { kinds: ['paid'] }, after: { kinds: [] } }])
})

test('each kind of failure is told in words, without a bank account', async () => {
  await choose(owner, ...notificationKinds)
  await happen('session.reversed', 1, { ...session, amountReceived: '0' })
  await happen('payout.failed', 1, {
    id: newId(),
    amount: '100.000001',
    source: { chain: 'base', token: 'USDC' },
    destination: { kind: 'bank', accountNumber: '••••6789', accountName: null, bankName: 'Bank' },
    reason: 'partner_failed',
    reference: null,
  })
  await happen('endpoint.paused', 1, {
    endpoint: { id: newId(), host: 'hooks.example.com', description: 'Till' },
    reason: 'failing',
  })
  await happen('delivery.failed', 1, {
    endpoint: { id: newId(), host: 'hooks.example.com', description: '' },
    count: 3,
    types: [],
  })
  const texts = (await mailed()).map(({ text }) => text).join('\n')
  expect(texts).toContain('the network took a payment back: 0 of 12.50 USDC on base')
  expect(texts).toContain('100.000001 USDC on base, it was not paid (partner failed)')
  expect(texts).toContain(
    'the endpoint at hooks. example. com ("Till") is paused: every attempt failed for days',
  )
  expect(texts).toContain('3 deliveries were given up, to hooks. example. com')
  expect(texts).not.toMatch(/•|\b6789\b/)
})

test('what customers or members wrote stays on its line: no header, no link, no turned text', async () => {
  const name = 'Shop\r\nBcc: all@example.com http://evil.example'
  const hostile = await person()
  businessId = await business(hostile, name)
  await choose(hostile, 'paid')
  const label = 'a\r\n\r\nTo stop: https://evil.example/\u202egnp\u2066<b>'
  await happen('session.paid', 1, { ...session, label, reference: `x\n- y`, amountReceived: '1\r\n2' })
  const [mail] = await mailed()
  expect(mail?.subject).toBe('1 payment was paid at pay.example.com')
  expect(mail?.text).toContain('"Shop Bcc: all@example. com http: //evil. example"')
  expect(mail?.text).toContain(
    '? USDC on base, "a To stop: https: //evil. example/ gnp <b>", reference "x - y"',
  )
  expect(mail?.text).not.toMatch(/[\u202e\u2066\r]/)
  expect(
    mail?.text.match(/https?:\/\/\S+/g)?.every((url) => url.startsWith('https://pay.example.com/')),
  ).toBe(true)
})

test('mails are about events after the choice, also where it was off meanwhile', async () => {
  await happen('session.paid', 3)
  await choose(owner, 'paid')
  await happen('session.paid', 2)
  await choose(owner)
  await happen('session.paid', 4)
  await choose(owner, 'paid')
  await happen('session.paid')
  expect((await mailed()).map(countOf)).toEqual([1])
})

test('a member who was removed, lost the role, or whose account or business is closed gets none', async () => {
  const leaves = await member('viewer')
  const becomesCashier = await member('viewer')
  const locked = await member('viewer')
  const unproven = await member('viewer', await person({ proven: false }))
  for (const each of [leaves, becomesCashier, locked, unproven]) await choose(each, 'paid')
  const demoted = await member('owner')
  // Made while all was well, and not sent yet.
  await happen('session.paid')
  await happen('payout.failed', 1, {})
  await makeDue()
  await make()
  expect(
    await database.db.query('select 1 from notifications where business_id = $1', [businessId]),
  ).toHaveLength(5)
  await removeMember(database, actor, businessId, leaves)
  await changeMember(database, actor, businessId, becomesCashier, 'cashier')
  await changeMember(database, actor, businessId, demoted, 'viewer')
  await database.db.query('update accounts set locked_at = now() where id = $1', [locked])
  await sendAll()
  expect(sent.splice(0).map(({ to }) => to)).toEqual([await emailOf(owner)])
  await happen('session.paid')
  await happen('payout.failed', 1, {})
  expect((await mailed()).map(({ to }) => to)).toEqual([await emailOf(owner)])
  // Back again, about what happens from then on.
  await changeMember(database, actor, businessId, becomesCashier, 'viewer')
  await changeMember(database, actor, businessId, demoted, 'owner')
  await database.db.query('update accounts set email_proven_at = now() where id = $1', [unproven])
  await database.db.query('update accounts set locked_at = null where id = $1', [locked])
  expect(await mailed()).toEqual([])
  await happen('session.paid')
  expect((await mailed()).map(({ to }) => to).toSorted()).toEqual(
    (await Promise.all([becomesCashier, unproven, locked].map(emailOf))).toSorted(),
  )
  await happen('payout.failed', 1, {})
  await database.db.query(`update businesses set approval = 'suspended' where id = $1`, [businessId])
  expect(await mailed()).toEqual([])
})

test('events of another business are in no mail', async () => {
  const stranger = await person()
  const other = await business(stranger)
  await choose(owner, ...notificationKinds)
  await happen('session.paid', 3, session, other)
  await happen('payout.failed', 1, {}, other)
  await happen('session.paid', 1)
  expect((await mailed()).map(({ to, subject }) => [to, subject]).toSorted()).toEqual(
    [
      [await emailOf(owner), '1 payment was paid at pay.example.com'],
      [await emailOf(stranger), '1 payout failed at pay.example.com'],
    ].toSorted(),
  )
})

test('a mail names 20 of many events and counts all; none of the kind is made in the window or while one waits', async () => {
  await choose(owner, 'paid')
  await happen('session.paid', 200)
  await make()
  await happen('session.paid', 7)
  // One waits: no other is made, though one is due.
  await makeDue()
  await make()
  expect(
    await database.db.query('select events from notifications where business_id = $1', [businessId]),
  ).toEqual([{ events: 200 }])
  // It is sent, and the next is not due.
  await database.db.query(`update notification_choices set next_at = now() + interval '1 hour'`)
  await sendAll()
  await make()
  await sendAll()
  const [mail, ...others] = sent.splice(0)
  expect(others).toEqual([])
  expect(mail?.subject).toBe('200 payments were paid at pay.example.com')
  expect(mail?.text.match(/^- /gm)).toHaveLength(20)
  expect(mail?.text).toContain(`And 180 more: https://pay.example.com/dashboard/b/${businessId}/payments\n`)
  expect((await mailed()).map(countOf)).toEqual([7])
})

test('while more comes mails are further and further apart, whichever worker makes them; after a quiet hour the next comes at once', async () => {
  await choose(owner, 'paid')
  const seconds = [300, 900, 3600]
  /** As if the time had passed. */
  const pass = async (by: number) => {
    await database.db.query(
      `update notification_choices set next_at = next_at - $2 * interval '1 second' where business_id = $1`,
      [businessId, by],
    )
    await database.db.query(
      `update notification_paces set ends_at = ends_at - $2 * interval '1 second' where business_id = $1`,
      [businessId, by],
    )
  }
  /** An event each minute. @returns the minutes of the mails, with their counts */
  const minutes = async (count: number) => {
    const mails: [minute: number, events: number][] = []
    for (let minute = 0; minute < count; minute++) {
      await happen('session.paid')
      await make(seconds)
      await sendAll()
      for (const mail of sent.splice(0)) mails.push([minute, countOf(mail)])
      await pass(60)
    }
    return mails
  }
  expect(await minutes(145)).toEqual([
    [0, 1],
    [5, 5],
    [20, 15],
    [80, 60],
    [140, 60],
  ])
  // Less than a quiet hour after the next could have come: it comes at once, and the one after it still waits.
  await pass(3600 + 3000)
  expect(await minutes(10)).toEqual([[0, 5]])
  await pass(2 * 3600)
  expect(await minutes(10)).toEqual([
    [0, 10],
    [5, 5],
  ])
  await mailed()
})

test('events older than three days are not told: a deployment that begins to send mail has a history', async () => {
  await choose(owner, 'paid')
  await happen('session.paid', 2)
  await database.db.query(
    `update events set created_at = created_at - interval '4 days' where business_id = $1 and sequence = (select max(sequence) - 1 from events where business_id = $1)`,
    [businessId],
  )
  expect((await mailed()).map(countOf)).toEqual([1])
})

test('a mail whose events were erased still counts them', async () => {
  await choose(owner, 'paid')
  await happen('session.paid', 2)
  await database.db.query(`update events set erased_at = now(), data = '{}' where business_id = $1`, [
    businessId,
  ])
  const [mail] = await mailed()
  expect(mail?.text).toContain(`See 2 more: https://pay.example.com/dashboard/b/${businessId}/payments`)
})

test('a mail is retried under the same id, then given up; a refused mailbox at once', async () => {
  await choose(owner, 'paid')
  await happen('session.paid')
  await make()
  outcome = { outcome: 'failed', reason: 'busy' }
  await sendAll()
  expect(outcomes).toEqual(['failed'])
  await database.db.query('update notifications set next_attempt_at = now() where business_id = $1', [
    businessId,
  ])
  await sendAll()
  expect(outcomes).toEqual(['failed', 'given_up'])
  outcome = { outcome: 'refused', reason: 'no' }
  await happen('session.paid')
  await mailed()
  expect(outcomes).toEqual(['failed', 'given_up', 'given_up'])
  expect(await database.db.query('select 1 from notifications where business_id = $1', [businessId])).toEqual(
    [],
  )
})

test('no event is lost in the counts and none is counted twice, whatever happens at a time and however often workers stop', async () => {
  const types = ['session.paid', 'session.created', 'session.late'] as const
  const step = fc.oneof(
    fc.record({
      does: fc.constant('happen' as const),
      type: fc.constantFrom(...types),
      count: fc.integer({ min: 1, max: 30 }),
    }),
    fc.record({ does: fc.constant('make' as const), stops: fc.boolean() }),
    fc.constant({ does: 'send' as const }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 5 }), async (rounds) => {
      owner = await person()
      businessId = await business(owner)
      await choose(owner, 'paid')
      sent = []
      let happened = 0
      for (const round of rounds) {
        // All of a round at once: events are recorded while two workers make mails and others send them.
        await Promise.all(
          round.map(async (each) => {
            if (each.does === 'happen') {
              if (each.type === 'session.paid') happened += each.count
              await happen(each.type, each.count)
            } else if (each.does === 'send') await sendDueNotification(ctx)
            else if (each.stops) await stopsHalfway()
            else await makeNotifications({ db: database.db, waitSeconds: [1] })
          }),
        )
        await makeDue()
      }
      await sendAll()
      await mailedAll()
      expect(sent.reduce((sum, mail) => sum + countOf(mail), 0)).toBe(happened)
    }),
    { numRuns: 30 },
  )
})

/** A worker that ends before its commit. */
const stopsHalfway = () =>
  makeNotifications({
    waitSeconds: [1],
    db: {
      ...database.db,
      tx: (work: Parameters<typeof database.db.tx>[0]) =>
        database.db
          .tx(async (tx) => {
            await work(tx)
            throw new Error('killed')
          })
          .catch(() => false),
    } as never,
  })

async function mailedAll(): Promise<void> {
  for (let before = -1; before !== sent.length; ) {
    before = sent.length
    await makeDue()
    await make()
    await sendAll()
  }
}

test('ten workers make a mail once', async () => {
  await choose(owner, 'paid')
  await happen('session.paid', 5)
  await Promise.all(
    Array.from({ length: 10 }, () => makeNotifications({ db: database.db, waitSeconds: [60] })),
  )
  await sendAll()
  expect(sent.map(countOf)).toEqual([5])
})

test('a link of another deployment, of another kind or member, or cut, stops nothing', async () => {
  const choice = { businessId, accountId: owner, kind: 'paid' as const }
  const token = unsubscribeToken(key, choice)
  expect(choiceOfToken(key, token)).toEqual(choice)
  const bytes = Buffer.from(token, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(choiceOfToken(key, changed.toString('base64url'))).toBeNull()
  }
  const elsewhere = unsubscribeToken(new Secret(Buffer.alloc(32, 1).toString('base64')), choice)
  for (const wrong of ['', token.slice(1), `${token}A`, elsewhere])
    expect(await unsubscribe(ctx, wrong, '192.0.2.1')).toBe(false)
})
