import { outputChannel } from '../scripts/local/service.ts'
import { openDirect } from '../src/platform/database/db.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { type PlanNode, type PlanSummary, summaryOf, sumOf } from './plans.ts'

export interface LoggedPlans {
  /** The plans of what other processes did in the meantime. */
  during(work: () => Promise<unknown>): Promise<PlanSummary>
  stop(): Promise<void>
}

const settings = {
  session_preload_libraries: "'auto_explain'",
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_format': 'json',
}

/** Plans of all statements in a database, by any process, from what Postgres prints. Other connections are ended. */
export async function watchLoggedPlans(url: string): Promise<LoggedPlans> {
  let text = ''
  const keep = (message: unknown) => {
    const { name, text: more } = message as { name: string; text: string }
    if (name === 'Postgres') text += more
  }
  outputChannel.subscribe(keep)
  const admin = await openDirect(url, 'cowry bench')
  const [row] = await admin.query<{ name: string }>('select current_database() as name')
  for (const [name, value] of Object.entries(settings))
    await admin.query(`alter database "${row?.name}" set ${name} = ${value}`)
  // A setting of a database is that of its new connections.
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  const marking = await openDirect(url, 'cowry bench')
  let marks = 0
  async function mark(): Promise<number> {
    const marker = `of mark ${++marks}`
    await marking.query(`select '${marker}'`)
    await waitFor('the plan of a mark', async () => text.includes(`'${marker}'`))
    return text.indexOf(`'${marker}'`)
  }
  return {
    async during(work) {
      await mark()
      text = ''
      await work()
      const plans = plansIn(text.slice(0, await mark()))
      if (plans.length === 0) throw new Error('Postgres reported no plan: is auto_explain installed?')
      return plans.map(summaryOf).reduce(sumOf)
    },
    async stop() {
      outputChannel.unsubscribe(keep)
      await marking.close()
      await admin.close()
    },
  }
}

/** Lines that go on begin with a tab. */
const plansIn = (text: string): PlanNode[] =>
  text
    .split(/\n(?!\t)/)
    .flatMap((entry) => /plan:\s*(\{[\s\S]*\})\s*$/.exec(entry)?.[1] ?? [])
    .map((json) => (JSON.parse(json) as { Plan: PlanNode }).Plan)
