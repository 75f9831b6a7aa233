import { Pool } from 'undici'
import { newId } from '../src/platform/ids.ts'
import { addCredit, makeVerificationKey, setPrice } from '../test/support/madeVerifications.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { type ChildCpu, cpuMs, startChild } from './child.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'verification'
const clients = 16
const roundMs = 2000
const rounds = 7
const databasePool = 10
const price = 250_000n
const aim = 0.5

const bodyOf = () =>
  JSON.stringify({
    ...{ requestId: newId(), country: 'NG', idType: 'passport', idNumber: 'A01234567' },
    ...{ firstName: 'Adaeze', lastName: 'Okafor', dob: '1990-12-31' },
  })

/** Identity checks requested per second, compared with a bare route that writes the same rows. */
export async function benchVerification(scope: Scope): Promise<Report> {
  progress('starting the verification host')
  const env = { ...asInProduction(), DATABASE_POOL: String(databasePool) }
  const stack = scope.keep(await createStack({ processes: ['verification'], env }), (each) => each.close())
  await setPrice(stack.db, 'NG', 'passport', price)
  await addCredit(stack.db, stack.businessId, 10_000_000n * price)
  await keepQueueEmpty(stack)
  const key = (await makeVerificationKey(stack.db, stack.businessId)).secret.reveal()
  const open = (to: number | undefined) =>
    scope.keep(new Pool(`http://127.0.0.1:${to}`, { connections: clients }), (pool) => pool.close())
  const host = open(stack.processes.get('verification')?.verifyPort())
  const headers = { authorization: `Bearer ${key}` }
  // Opens the accounts that the bare route posts to.
  await request(host, '/api/kyc/verify', headers)
  const bare = scope.keep(
    startChild(new URL('./bareVerifications.ts', import.meta.url), {
      ...{
        DATABASE_URL: stack.databaseUrl,
        DATABASE_POOL: String(databasePool),
        BUSINESS_ID: stack.businessId,
      },
    }),
    (each) => each.close(),
  )
  const { port } = await bare.next<{ port: number }>()
  const bareRoute = open(port)

  const waits: number[] = []
  const series = await interleave(bench, { rounds, warmUp: 2 }, async (index) => {
    const limit = await load(bareRoute, '/verify', {}, async () => cpuMs(await bare.ask<ChildCpu>({})))
    const product = await load(host, '/api/kyc/verify', headers, () =>
      cpuMsOf(stack.processes.get('verification')),
    )
    if (index >= 0) waits.push(...product.waits)
    return {
      limit: limit.perSecond,
      product: product.perSecond,
      limitCpu: limit.cpuMs,
      productCpu: product.cpuMs,
    }
  })
  const made = await countRows(stack)
  const ofBare = ratio(series.product, series.limit)
  const cpu = (each: readonly number[]) => `${digits(spread(each).median)} ms CPU each`
  return {
    figures: [
      figure(bench, 'bare express route, same rows', spread(series.limit), 'verifications/s', {
        extra: cpu(series.limitCpu),
        ratio: 1,
      }),
      figure(bench, 'POST /verify', spread(series.product), 'verifications/s', {
        extra: `${cpu(series.productCpu)}, p50 ${digits(quantile(waits, 0.5))} ms, p99 ${digits(quantile(waits, 0.99))} ms`,
        ...{ ratio: ofBare, aim: `at least ${aim}`, met: ofBare.median >= aim },
      }),
    ],
    notes: [
      `${clients} clients over keep-alive connections, ${rounds} rounds of ${roundMs / 1000} s each, both with ${databasePool} connections to the same database and for one business, logging and counting as in production; no check is made meanwhile. ${made.toLocaleString('en')} verifications were requested.`,
    ],
  }
}

/** Of both: checks are due later, so that requests alone are measured. */
async function keepQueueEmpty({ db }: Stack): Promise<void> {
  await db.query(`
    create function due_later() returns trigger language plpgsql as
      $$ begin new.next_attempt_at := now() + interval '1 day'; return new; end $$;
    create trigger due_later before insert on verifications for each row execute function due_later();
  `)
}

/** @throws Error if one of them wrote other rows than the other */
async function countRows({ db }: Stack): Promise<number> {
  const [row] = await db.query<Record<string, number> & { requests: number }>(
    `select (select count(*) from verifications)::int as requests,
       (select count(distinct verification_id) from verification_fields)::int as people,
       (select count(*) / 4 from verification_fields)::int as fields,
       (select count(*) from ledger_entries where kind = 'verification.held')::int as held,
       (select count(*) from audit_log where action = 'verification.requested')::int as audited`,
  )
  if (!row || new Set(Object.values(row)).size > 1)
    throw new Error(`the rows of verifications differ in number: ${JSON.stringify(row)}`)
  return row.requests
}

async function request(pool: Pool, path: string, headers: Record<string, string>): Promise<void> {
  const response = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: bodyOf(),
  })
  const answer = await response.body.text()
  if (response.statusCode !== 202) throw new Error(`${path} answered ${response.statusCode}: ${answer}`)
}

interface Load {
  perSecond: number
  waits: number[]
  /** CPU of the server per request. */
  cpuMs: number
}

async function load(
  pool: Pool,
  path: string,
  headers: Record<string, string>,
  cpuMsNow: () => Promise<number>,
): Promise<Load> {
  const waits: number[] = []
  const cpuBefore = await cpuMsNow()
  const started = performance.now()
  const client = async () => {
    while (performance.now() - started < roundMs) {
      const asked = performance.now()
      await request(pool, path, headers)
      waits.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const perSecond = (waits.length / (performance.now() - started)) * 1000
  return { perSecond, waits, cpuMs: ((await cpuMsNow()) - cpuBefore) / waits.length }
}
