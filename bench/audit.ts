import { type AuditFilter, listAudit } from '../src/audit/listAudit.ts'
import { recordAudit, systemActor } from '../src/audit/recordAudit.ts'
import { type Db, openDb, openDirect, usualTimes } from '../src/platform/database/db.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import { firstIdAt, newId } from '../src/platform/ids.ts'
import { encodeCursor, type PageRequest } from '../src/platform/pages.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { progress } from './progress.ts'
import { figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'audit'
const entries = 600_000
const businesses = 300
const months = 24
const rounds = 12
const inserts = 400
const reads = 30
const kinds = ['one table', 'partitions'] as const
type Kind = (typeof kinds)[number]

/** The audit log in monthly partitions next to the same entries in one table: entries added, and lists. */
export async function benchAudit(scope: Scope): Promise<Report> {
  const businessIds = Array.from({ length: businesses }, newId)
  const logs = {} as Record<Kind, { database: TestDatabase; db: Db }>
  for (const kind of kinds) {
    progress(`inserting ${entries.toLocaleString('en')} entries: ${kind}`)
    const database = scope.keep(await createTestDatabase(2), (each) => each.drop())
    await fillLog(database, kind, businessIds)
    logs[kind] = {
      database,
      db: scope.keep(openDb(database.url, 1, { ...usualTimes, statementMs: 0 }), (each) => each.close()),
    }
  }
  const [business = ''] = businessIds
  const add = async (db: Db) => {
    const times: number[] = []
    for (let n = 0; n < inserts; n++) {
      const started = performance.now()
      await db.tx((tx) =>
        recordAudit(tx, systemActor('bench'), {
          businessId: business,
          action: 'bench.recorded',
          target: null,
          after: { n },
        }),
      )
      times.push(performance.now() - started)
    }
    return quantile(times, 0.5)
  }
  const page = { page: 1, limit: 20, sort: 'DESC' } as const
  const middle = firstIdAt(Date.now() - (months / 2) * 30 * 86_400_000)
  const [from, to] = [-130, -100].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const lists: Record<string, [AuditFilter, PageRequest]> = {
    'a business, first page': [{ businessId: business }, page],
    'a business, a page in the middle': [
      { businessId: business },
      { ...page, cursor: encodeCursor(`${middle.slice(0, 14)}7000-8000-000000000000`.slice(0, 36)) },
    ],
    'a business and an action': [{ businessId: business, action: 'key.created' }, page],
    'a business, a month': [
      { businessId: business, since: new Date(from as string), until: new Date(to as string) },
      page,
    ],
  }
  const read = async (db: ModelDb, [filter, request]: [AuditFilter, PageRequest]) => {
    const times: number[] = []
    for (let n = 0; n < reads; n++) {
      const started = performance.now()
      const { entries: found } = await listAudit({ db }, filter, request)
      times.push(performance.now() - started)
      if (found.length === 0) throw new Error('a list was empty')
    }
    return quantile(times, 0.5)
  }
  const series = await interleave(bench, { rounds, warmUp: 2 }, async (index) => {
    const figures: Record<string, number> = {}
    // In turn the one first and the other, so that load of another program does not fall on one of them.
    for (const kind of index % 2 === 0 ? kinds : kinds.toReversed()) {
      figures[`add ${kind}`] = await add(logs[kind].db)
      for (const [what, list] of Object.entries(lists))
        figures[`${what} ${kind}`] = await read(logs[kind].database.db, list)
    }
    return figures
  })
  const compared = (what: string, named: string, maxMoreMs: number) => {
    const [one, parts] = kinds.map((kind) => series[`${what} ${kind}`] ?? []) as [number[], number[]]
    const more = spread(parts.map((ms, i) => ms - (one[i] ?? Number.NaN)))
    return [
      figure(bench, `${named}, one table, p50`, spread(one), 'ms', { ratio: 1 }),
      figure(bench, `${named}, partitions, p50`, spread(parts), 'ms', { ratio: ratio(parts, one) }),
      figure(bench, `${named}, more`, more, 'ms', {
        aim: `at most ${maxMoreMs} ms`,
        met: more.median <= maxMoreMs,
      }),
    ]
  }
  return {
    figures: [
      ...compared('add', 'an entry in a transaction of its own', 0.05),
      ...Object.keys(lists).flatMap((what) => compared(what, `list of ${what}`, 1)),
    ],
    notes: [
      `${entries.toLocaleString('en')} entries of ${businesses} businesses over ${months} months, in ${months + 7} partitions or one table; ${rounds} rounds of ${inserts} inserts and ${reads} lists of each kind, one connection. A list is two statements, the total and the page, by the function of the dashboard's route. Ratios are of times.`,
    ],
  }
}

async function fillLog(database: TestDatabase, kind: Kind, businessIds: readonly string[]): Promise<void> {
  const direct = await openDirect(database.url, 'cowry bench')
  try {
    await direct.query('set synchronous_commit = on')
    await direct.query(
      "insert into businesses (id, name) select id, 'Bench' from unnest($1::uuid[]) as b(id)",
      [businessIds],
    )
    if (kind === 'one table') await direct.query(oneTable)
    else await direct.query(monthsBack)
    await direct.query(
      `insert into audit_log (id, at, business_id, actor_kind, actor_label, action, target, after, request_id)
       select (rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 12, '0') || '7000' || '8' || substr(md5(i::text), 1, 15))::uuid, at,
         ($1::uuid[])[1 + i % $2::int], 'api_key', 'cowry_live_abcd', case when i % 40 = 0 then 'key.created' else 'session.created' end,
         gen_random_uuid(), '{"amount": "15.764417", "reference": "order-1002"}', 'request-' || i
       from (select i, now() - ($3::int - i) * (interval '30 days' * $4::int / $3::int) as at from generate_series(1, $3::int) i) made`,
      [businessIds, businessIds.length, entries, months],
    )
    await direct.query('vacuum (analyze) audit_log')
  } finally {
    await direct.close()
  }
}

/** The log of the version before: the same columns, keys, indexes, reference and guards. */
const oneTable = `
  alter table audit_log rename to audit_log_partitioned;
  create table audit_log (like audit_log_partitioned including defaults including constraints including indexes);
  alter table audit_log add foreign key (business_id) references businesses;
  create trigger audit_log_keep before update or delete or truncate on audit_log for each statement execute function keep_audit_log();
  create trigger audit_log_of_verification before insert on audit_log
    for each row when (not has_function_privilege('writes_for_all_areas()'::regprocedure, 'execute')) execute function keep_verification_audit_log()`

/** As after two years: the months of that time have partitions of their own. */
const monthsBack = `
  do $$ declare
    month date := (date_trunc('month', now()) - interval '25 months')::date;
    upper date := coalesce((select min(from_day) from audit_months()), audit_later_from());
  begin
    drop table audit_log_earlier;
    execute format('create table audit_log_earlier partition of audit_log for values from (minvalue) to (%L)', audit_bound(month));
    while month < upper loop
      execute format('create table audit_log_p%s partition of audit_log for values from (%L) to (%L)',
        to_char(month, 'YYYYMMDD'), audit_bound(month), audit_bound((month + interval '1 month')::date));
      month := (month + interval '1 month')::date;
    end loop;
  end $$`
