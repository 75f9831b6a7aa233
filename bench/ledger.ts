import { balanceOf } from '../src/ledger/balance.ts'
import { closeLedger } from '../src/ledger/closeLedger.ts'
import type { Entry } from '../src/ledger/entry.ts'
import { post } from '../src/ledger/post.ts'
import type { Db, Tx } from '../src/platform/database/db.ts'
import { openDb, usualTimes } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/ids.ts'
import { listEntries } from '../src/statements/listEntries.ts'
import { asset, filledLedger } from './ledgerRows.ts'
import { interleave, quantile, ratio, spread, timed } from './measure.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'ledger'
const entries = 1_000_000
const businesses = 200
const clients = 10
const rounds = 5
const roundMs = 2000
const reads = 200

/** Postings per second next to bare inserts of the same rows, and reads of a large ledger. */
export async function benchLedger(scope: Scope): Promise<Report> {
  const { database, businessIds } = await filledLedger(scope, entries, businesses)
  const db = scope.keep(openDb(database.url, clients, { ...usualTimes, statementMs: 0 }), (each) =>
    each.close(),
  )
  const [accounts] = await db.query<{ deposits: string; available: Record<string, string> }>(
    `select (select id from ledger_accounts where name = 'deposits:ethereum' and asset = $1) as deposits,
       (select json_object_agg(business_id, id) from ledger_accounts where name = 'available') as available`,
    [asset],
  )
  if (!accounts) throw new Error('the accounts are missing')

  const writers: Record<'bare' | 'posted', (tx: Tx, made: readonly Entry[]) => Promise<unknown>> = {
    bare: (tx, made) => insertBare(tx, made, accounts),
    posted: (tx, made) => post(tx, made),
  }
  const write = async (kind: keyof typeof writers, size: number) => {
    let done = 0
    const started = performance.now()
    const client = async (number: number) => {
      for (let i = number; performance.now() - started < roundMs; i += clients) {
        const made = Array.from({ length: size }, (_, at) =>
          credit(businessIds[(i * size + at) % businesses] as string),
        )
        await db.tx((tx) => writers[kind](tx, made))
        done += size * 2
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
    return (done / (performance.now() - started)) * 1000
  }
  const sizes = [1, 10] as const
  const series = await interleave(bench, { rounds, warmUp: 1 }, async () => {
    const figures: Record<string, number> = {}
    for (const size of sizes)
      for (const kind of ['bare', 'posted'] as const) figures[`${kind} ${size}`] = await write(kind, size)
    return figures
  })
  const of = (key: string) => series[key] ?? []
  const writing = sizes.flatMap((size) => {
    const share = ratio(of(`posted ${size}`), of(`bare ${size}`))
    const each = size === 1 ? 'one entry a transaction' : `${size} entries a transaction`
    return [
      figure(bench, `bare inserts of the same rows, ${each}`, spread(of(`bare ${size}`)), 'postings/s', {
        ratio: 1,
      }),
      figure(bench, `post, ${each}`, spread(of(`posted ${size}`)), 'postings/s', {
        ratio: share,
        aim: 'at least 0.5',
        met: share.median >= 0.5,
      }),
    ]
  })
  return {
    figures: [...writing, ...(await readings(db, businessIds)), ...(await closing(db))],
    notes: [
      `${entries.toLocaleString('en')} entries of ${businesses} businesses before the first figure; ${clients} connections, ${rounds} rounds of ${roundMs / 1000} s. Bare inserts go to tables with the same columns and indexes, without references, triggers, accounts, balances and the check at commit. The client shares the cores with Postgres.`,
    ],
  }
}

const credit = (businessId: string): Entry => ({
  kind: 'deposit.credited',
  businessId,
  cause: { kind: 'session_payment', id: newId() },
  step: 1,
  postings: [
    { account: { name: 'deposits:ethereum', businessId: null, asset }, amount: 1000n },
    { account: { name: 'available', businessId, asset }, amount: -1000n },
  ],
})

async function insertBare(
  tx: Tx,
  made: readonly Entry[],
  accounts: { deposits: string; available: Record<string, string> },
): Promise<void> {
  const rows = made.map((entry) => ({ ...entry, id: newId() }))
  await tx.query(
    `insert into bare_entries (id, kind, business_id, cause_kind, reference, step)
     select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::integer[])`,
    [
      rows.map(({ id }) => id),
      rows.map(({ kind }) => kind),
      rows.map(({ businessId }) => businessId),
      rows.map(({ cause }) => cause.kind),
      rows.map(({ cause }) => cause.id),
      rows.map(({ step }) => step),
    ],
  )
  const lines = rows.flatMap(({ id, postings }) => postings.map((posting) => ({ id, ...posting })))
  await tx.query(
    'insert into bare_postings (entry_id, account_id, asset, amount) select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::numeric[])',
    [
      lines.map(({ id }) => id),
      lines.map(({ account }) =>
        account.businessId === null ? accounts.deposits : accounts.available[account.businessId],
      ),
      lines.map(({ account }) => account.asset),
      lines.map(({ amount }) => amount.toString()),
    ],
  )
}

async function readings(db: Db, businessIds: readonly string[]) {
  const ctx = { db, chains: [] }
  const page = { page: 1, limit: 20, sort: 'DESC' } as const
  const questions: Readonly<Record<string, (businessId: string) => Promise<unknown>>> = {
    "a business's balance": (businessId) => balanceOf(db, { name: 'available', businessId, asset }),
    "a platform's balance, of sixteen slots": () =>
      balanceOf(db, { name: 'deposits:ethereum', businessId: null, asset }),
    'a page of 20 entries of a business, with the count': (businessId) =>
      listEntries(ctx, businessId, {}, page),
    'the same, of one kind': (businessId) => listEntries(ctx, businessId, { kind: 'payout.reserved' }, page),
    'the same, of one account and asset': (businessId) =>
      listEntries(ctx, businessId, { account: 'available', asset }, page),
  }
  const figures = []
  for (const [what, ask] of Object.entries(questions)) {
    const times: number[] = []
    for (let i = 0; i < reads; i++)
      times.push((await timed(() => ask(businessIds[i % businessIds.length] as string))).ms)
    const p99 = quantile(times, 0.99)
    figures.push(
      figure(bench, `${what}, p50`, spread([quantile(times, 0.5)]), 'ms', {
        extra: `p99 ${digits(p99)} ms`,
        aim: 'p99 under 10 ms',
        met: p99 < 10,
      }),
    )
  }
  return figures
}

async function closing(db: Db) {
  progress('closing the ledger')
  const closeOnce = async () => {
    const { ms, result } = await timed(() => closeLedger({ db }, 'now'))
    if (!result || result.drifts.length > 0) throw new Error('the ledger of the bench does not agree')
    return { seconds: ms / 1000, entries: result.close.entries }
  }
  const first = await closeOnce()
  const next = await closeOnce()
  return [
    figure(
      bench,
      `the first close, which chains ${first.entries.toLocaleString('en')} entries`,
      spread([first.seconds]),
      's',
    ),
    figure(bench, 'the next close, which verifies them all', spread([next.seconds]), 's'),
  ]
}
