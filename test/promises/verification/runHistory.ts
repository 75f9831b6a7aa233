import { systemActor } from '../../../src/audit/recordAudit.ts'
import type { Queryable } from '../../../src/platform/database/db.ts'
import { ApiError } from '../../../src/platform/errors.ts'
import { newId } from '../../../src/platform/ids.ts'
import { assessRisk } from '../../../src/verification/assessRisk.ts'
import type { VerificationContext } from '../../../src/verification/context.ts'
import { createVerification } from '../../../src/verification/createVerification.ts'
import { decide } from '../../../src/verification/decide.ts'
import { endVerification } from '../../../src/verification/endVerification.ts'
import type { StoredRequest } from '../../../src/verification/model.ts'
import { resumePending } from '../../../src/verification/resumePending.ts'
import { insertBusiness } from '../../support/madeBusiness.ts'
import { addCredit } from '../../support/madeVerifications.ts'
import { waitFor } from '../../support/waitFor.ts'
import {
  type Answer,
  apply,
  type Command,
  type History,
  heldBy,
  type Kind,
  type Model,
  price,
  type RowStatus,
} from './creditModel.ts'

interface World {
  ctx: VerificationContext
  businessId: string
}

/**
 * Runs a history for a business of its own, and compares its books with the model after each round.
 * @param isAlone no other history runs at once: then the model knows when an assessment is resumed
 */
export async function runHistory(
  ctx: VerificationContext,
  history: History,
  isAlone: boolean,
): Promise<void> {
  const world: World = { ctx, businessId: newId() }
  await insertBusiness(ctx.db, world.businessId, 'history')
  let model: Model = { credit: 0n, rows: new Map() }
  for (const round of [...history, [{ do: 'resume' }] satisfies Command[]]) {
    const answers = await Promise.all(round.map((command) => run(world, command)))
    const [command] = round
    if (isAlone && round.length === 1 && command) same('the answer', answers[0], apply(model, command))
    // The queue may resume an assessment of any business at any time: read all at one time.
    const found = await ctx.db.snapshot(async (tx) => {
      const model = await readModel(tx, world.businessId)
      await checkBooks(tx, world.businessId, model)
      return model
    })
    if (isAlone && round.length === 1) same('the books', shown(found), shown(model))
    model = found
  }
  // Another history's queue may be at it.
  await waitFor('the end of all that the credit covers', async () => {
    await run(world, { do: 'resume' })
    const { credit, rows } = await readModel(ctx.db, world.businessId)
    return credit < price || [...rows.values()].every(({ status }) => status !== 'pending')
  })
}

async function run({ ctx, businessId }: World, command: Command): Promise<Answer> {
  const nameOf = (name: number) => `${businessId}-${name}`
  switch (command.do) {
    case 'topUp':
      await addCredit(ctx.db, businessId, command.amount)
      return null
    case 'resume':
      while (await resumePending(ctx.db)) {}
      return null
    case 'end': {
      const [row] = await ctx.db.query<{ id: string; kind: Kind }>(
        'select id, kind from verifications where request_id = $1',
        [nameOf(command.name)],
      )
      // A decision can be found before the process that makes it has ended it.
      const completed = { status: 'completed', ...(row && answers[row.kind]) } as const
      const outcome =
        command.status === 'error'
          ? ({ status: 'error', reasonCode: 'provider_unavailable' } as const)
          : completed
      return row && (await ctx.db.tx((tx) => endVerification(tx, row.id, outcome))) ? 'ended' : 'not ended'
    }
    case 'request':
      return request({ ctx, businessId }, command.kind, nameOf(command.name))
  }
}

async function request({ ctx, businessId }: World, kind: Kind, requestId: string): Promise<Answer> {
  const caller = { actor: systemActor('test'), businessId }
  const made: Record<Kind, () => Promise<StoredRequest>> = {
    verification: () =>
      createVerification(ctx, caller, { requestId, country: 'NG', idType: 'passport', idNumber: 'A1' }),
    assessment: () => assessRisk(ctx, caller, { requestId, firstName: 'Ada' }),
    decision: () => decide(ctx, caller, { requestId, type: 'transaction', subject: 'A1' }),
  }
  try {
    return statusOf(await made[kind]())
  } catch (error) {
    if (error instanceof ApiError && error.status === 402) return 'refused'
    if (error instanceof ApiError && error.status === 422) return 'reused'
    throw error
  }
}

function statusOf({ status }: Pick<StoredRequest, 'status'>): RowStatus {
  if (status === 'pending_credit') return 'pending'
  if (status === 'error') return 'returned'
  return status === 'queued' || status === 'processing' ? 'open' : 'taken'
}

const answers = { verification: {}, assessment: { answer: 'low' }, decision: { answer: 'allow' } } as const

/** The rows, and the credit of the books. */
async function readModel(db: Queryable, businessId: string): Promise<Model> {
  const rows = await db.query<Pick<StoredRequest, 'status'> & { kind: Kind; name: string }>(
    `select kind, status, split_part(request_id, '-', 6) as name from verifications where business_id = $1 order by id`,
    [businessId],
  )
  return {
    credit: (await balances(db, businessId)).credit ?? 0n,
    rows: new Map(rows.map((row) => [Number(row.name), { kind: row.kind, status: statusOf(row) }])),
  }
}

/**
 * Each row has its hold and its end once, what is held is of open rows, and what was paid in is there or was
 * taken.
 */
async function checkBooks(db: Queryable, businessId: string, model: Model): Promise<void> {
  const { credit = 0n, credit_held: held = 0n } = await balances(db, businessId)
  same('the held credit', held, heldBy(model))
  if (credit < 0n) throw new Error(`a credit of ${credit}`)
  const rows = await db.query<{ status: StoredRequest['status']; kinds: string[] }>(
    `select v.status, array(select e.kind from ledger_entries e where e.reference = v.id::text and e.cause_kind = 'verification' order by e.step) as kinds
     from verifications v where business_id = $1`,
    [businessId],
  )
  const wanted: Record<RowStatus, string[]> = {
    pending: [],
    open: ['held'],
    taken: ['held', 'taken'],
    returned: ['held', 'returned'],
  }
  for (const row of rows)
    same(
      'the entries of a request',
      row.kinds,
      wanted[statusOf(row)].map((kind) => `verification.${kind}`),
    )
  const [paid] = await db.query<{ sum: string }>(
    `select coalesce(-sum(p.amount), 0)::text as sum from ledger_postings p join ledger_accounts a on a.id = p.account_id join ledger_entries e on e.id = p.entry_id
     where a.business_id = $1 and a.name = 'credit' and e.cause_kind = 'adjustment'`,
    [businessId],
  )
  const taken = price * BigInt([...model.rows.values()].filter(({ status }) => status === 'taken').length)
  same('what was paid in', BigInt(paid?.sum ?? 0), credit + held + taken)
}

async function balances(db: Queryable, businessId: string): Promise<Record<string, bigint>> {
  const rows = await db.query<{ name: string; balance: string }>(
    `select a.name, sum(b.balance)::text as balance from ledger_accounts a join ledger_balances b on b.account_id = a.id
     where a.business_id = $1 and a.name like 'credit%' group by 1`,
    [businessId],
  )
  return Object.fromEntries(rows.map(({ name, balance }) => [name, BigInt(balance)]))
}

const shown = ({ credit, rows }: Model): string =>
  `credit ${credit}, ${[...rows]
    .sort()
    .map(([name, { kind, status }]) => `${name} ${kind} ${status}`)
    .join(', ')}`

function same(what: string, found: unknown, wanted: unknown): void {
  if (String(found) !== String(wanted))
    throw new Error(`${what}: ${String(found)}, and not ${String(wanted)}`)
}
