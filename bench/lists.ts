import { Pool } from 'undici'
import type { Db } from '../src/platform/database/db.ts'
import type { Stack } from '../test/support/stack.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { type PlanSummary, watchPlans } from './plans.ts'
import { progress } from './progress.ts'
import { digits, type Figure, figure } from './report.ts'
import type { Scope } from './scope.ts'

export interface ListQuery {
  page?: number
  limit?: number
  sort?: 'ASC' | 'DESC'
  cursor?: string
  [filter: string]: string | number
}

/** A query to a list of the API. */
export interface Question {
  what: string
  query: ListQuery
  /** Expected `total`; absent: any. */
  total?: number
}

interface List {
  bench: string
  /** Below /api/v1. */
  path: string
  /** Answers a query as the API's route does. */
  answer(db: Db, query: ListQuery): Promise<{ total: number; rows: number }>
}

const rounds = 5
const warmUp = 1
const callsPerRound = 20
/** Slow queries run less often. */
const maxMsPerRound = 2000

/**
 * Measures each query through the API process, in turn with `select 1`, and reads its plans from
 * auto_explain.
 */
export async function measureLists(
  scope: Scope,
  stack: Stack,
  list: List,
  questions: readonly Question[],
  /** The longest median; absent: none is set. */
  aimMs?: number,
): Promise<{ figures: Figure[]; note: string }> {
  progress(`${list.bench}: reading plans`)
  const plans = new Map<Question, PlanSummary>()
  for (const question of questions) {
    const plan = await watchPlans(stack.databaseUrl, async (db) =>
      requireRight(question, await list.answer(db, question.query)),
    )
    plans.set(question, plan)
  }
  const pool = scope.keep(
    new Pool(`http://127.0.0.1:${stack.processes.get('api')?.port()}`, { connections: 1 }),
    (each) => each.close(),
  )
  const waits = new Map<string, number[]>()
  const contenders = [
    { what: 'select 1', ask: () => stack.db.query('select 1') },
    ...questions.map(({ what, query }) => ({ what, ask: () => ask(pool, stack, list.path, query) })),
  ]
  const series = await interleave(`${list.bench}, lists`, { rounds, warmUp }, async (index) => {
    const medians: Record<string, number> = {}
    for (const contender of contenders) {
      const times: number[] = []
      const end = performance.now() + maxMsPerRound
      for (let i = 0; i < callsPerRound && performance.now() < end; i++) {
        const started = performance.now()
        await contender.ask()
        times.push(performance.now() - started)
      }
      medians[contender.what] = quantile(times, 0.5)
      if (index >= 0) waits.set(contender.what, [...(waits.get(contender.what) ?? []), ...times])
    }
    return medians
  })
  const of = (what: string) => series[what] ?? []
  const p99 = (what: string) => `p99 ${digits(quantile(waits.get(what) ?? [], 0.99))} ms`
  const offences = questions.flatMap((each) =>
    (plans.get(each)?.offences ?? []).map((offence) => `${each.what}: ${offence}`),
  )
  return {
    figures: [
      figure(list.bench, 'select 1, p50', spread(of('select 1')), 'ms', { extra: p99('select 1'), ratio: 1 }),
      ...questions.map((question) => {
        const { what } = question
        const plan = plans.get(question)
        return figure(list.bench, `GET ${list.path}, ${what}, p50`, spread(of(what)), 'ms', {
          extra: `${p99(what)}, ${plan?.rows.toLocaleString('en')} rows examined`,
          ratio: ratio(of(what), of('select 1')),
          aim: aimMs === undefined ? 'by indexes alone' : `by indexes alone, within ${aimMs} ms`,
          met: plan?.offences.length === 0 && spread(of(what)).median <= (aimMs ?? Number.POSITIVE_INFINITY),
        })
      }),
    ],
    note: `lists: one client, ${rounds} rounds of ${callsPerRound} requests for each (or as many as fit into ${maxMsPerRound / 1000} s), through the API's process (key, limits, validation of request and answer); ratios are of times. "By indexes alone": auto_explain, of the statements that the same function runs with the same values, shows no full table scan and no sort of more than 1,000 rows. "Rows examined" includes index entries and rows that a filter removed.${offences.length === 0 ? '' : ` Exceptions: ${offences.join('; ')}.`}`,
  }
}

/** @throws when a list has the wrong total or number of rows */
function requireRight({ what, total }: Question, answer: { total: number; rows: number }): void {
  if (total !== undefined && answer.total !== total)
    throw new Error(`${what}: ${answer.total} in total instead of ${total}`)
  if (answer.total > 0 !== answer.rows > 0)
    throw new Error(`${what}: ${answer.rows} rows of a total of ${answer.total}`)
}

async function ask(pool: Pool, stack: Stack, path: string, query: ListQuery): Promise<void> {
  const response = await pool.request({
    path: `/api/v1${path}`,
    method: 'GET',
    query,
    headers: { 'x-api-key': stack.apiKey },
  })
  const text = await response.body.text()
  if (response.statusCode !== 200)
    throw new Error(
      `GET ${path} ${JSON.stringify(query)} answered ${response.statusCode}: ${text.slice(0, 300)}`,
    )
}
