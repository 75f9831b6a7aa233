import { Pool } from 'undici'
import { cancelSession } from '../src/sessions/cancelSession.ts'
import { checkoutUrl } from '../test/support/checkoutUrl.ts'
import { makeSession } from '../test/support/madeSessions.ts'
import { chains } from '../test/support/sessionDatabase.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { quantile, spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'checkouts'
const pages = 1000
/** Pages that break, and connect again. */
const broken = 200
/** Changes that are committed at the same time. */
const atOnce = 10
const [aimBytes, aimMs] = [150e6, 1000]

interface Page {
  sessionId: string
  path: string
  address: string
  /** The newest state, its id, and when it came. */
  status: string | undefined
  id: string | undefined
  at: number
  states: number
  close(): void
  ended: Promise<void>
}

/** Open checkout pages on one api process, each of a session and a customer of its own, behind a proxy. */
export async function benchCheckouts(scope: Scope): Promise<Report> {
  const stack = scope.keep(
    await createStack({
      processes: ['api'],
      env: { ...asInProduction(), TRUSTED_PROXIES: '127.0.0.0/8' },
    }),
    (opened) => opened.close(),
  )
  const api = `http://127.0.0.1:${stack.processes.get('api')?.port()}`
  const ids: string[] = []
  for (let n = 0; n < pages; n++) ids.push((await makeSession(stack.db, stack.businessId, 1_000_000n)).id)
  // What the process takes once, whatever the number of pages.
  const warm = openPage(scope, api, String(ids[0]), '198.51.100.1')
  await waitFor('a first page', async () => warm.states > 0)
  warm.close()
  await warm.ended
  const before = await memoryOf(stack)
  progress(`opening ${pages.toLocaleString('en')} pages`)
  const begun = performance.now()
  const opened = ids.map((id, n) => openPage(scope, api, id, `203.0.${n >> 8}.${n & 255}`))
  await waitFor('each page to show its state', async () => opened.every(({ states }) => states > 0), 120_000)
  const openedMs = performance.now() - begun
  const after = await memoryOf(stack)

  progress(`breaking ${broken} streams`)
  const lost = opened.slice(0, broken)
  for (const page of lost) page.close()
  await Promise.all(lost.map(({ ended }) => ended))
  const again = lost.map((page) => openPage(scope, api, page.sessionId, page.address, page.id))
  await waitFor('all pages to be open', async () => (await openOf(stack)) === pages, 60_000)
  const all = [...again, ...opened.slice(broken)]

  progress('changing each session')
  const earlier = await transactionsOf(stack)
  const changing = performance.now()
  const committed = new Map<string, number>()
  const waiting = [...ids]
  const change = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const sessionId = id
      await cancelSession({ db: stack.db, chains, checkoutUrl }, stack.businessId, sessionId, async () => {
        // The last step before the commit.
        committed.set(sessionId, performance.now())
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, change))
  await waitFor(
    'each page to show the change',
    async () => all.every(({ status }) => status === 'cancelled'),
    60_000,
  )
  const changedMs = performance.now() - changing
  // Each cancelled session was a transaction, too.
  const statements = (await transactionsOf(stack)) - earlier - pages
  const lags = all.map(({ sessionId, at }) => at - (committed.get(sessionId) ?? Number.NaN))
  const resent = again.filter(({ states }) => states !== 1).length
  const held = after - before
  const max = quantile(lags, 1)
  return {
    figures: [
      figure(bench, `memory of ${pages.toLocaleString('en')} open pages`, spread([held / 1e6]), 'MB', {
        extra: `${digits(before / 1e6)} MB before, opened in ${digits(openedMs)} ms`,
        aim: `less than ${aimBytes / 1e6} MB`,
        met: held < aimBytes,
      }),
      figure(bench, 'from the commit to the page, p50', spread([quantile(lags, 0.5)]), 'ms', {
        extra: `p99 ${digits(quantile(lags, 0.99))} ms, max ${digits(max)} ms`,
        aim: `within ${aimMs} ms`,
        met: max <= aimMs,
      }),
      figure(
        bench,
        'reads of the database, a session and change',
        spread([statements / pages]),
        'statements',
        {
          extra: `${statements} in all, ${digits(changedMs / 1000)} s`,
          aim: 'at most one',
          met: statements <= pages,
        },
      ),
      figure(
        bench,
        `streams of ${broken} that broke and went on otherwise than with the change`,
        spread([resent]),
        'streams',
        {
          aim: 'none',
          met: resent === 0,
        },
      ),
    ],
    notes: [
      `checkouts: ${pages.toLocaleString('en')} streams of as many sessions and addresses over HTTP/1.1 to one api process. Each session is cancelled in a transaction, ${atOnce} at the same time; the time of a page counts from before the commit to the arrival of the state. Memory is resident. Reads are all transactions of the database but those that cancel: also the reads of heights, once a second.`,
    ],
  }
}

function openPage(scope: Scope, api: string, sessionId: string, address: string, known?: string): Page {
  const gone = new AbortController()
  const path = new URL(checkoutUrl(sessionId)).pathname.replace('/checkout/', '/api/v1/checkout/')
  const pool = scope.keep(new Pool(api, { connections: 1, bodyTimeout: 0 }), (each) => each.destroy())
  const page: Page = {
    sessionId,
    path,
    address,
    status: undefined,
    id: undefined,
    at: 0,
    states: 0,
    close: () => gone.abort(),
    ended: Promise.resolve(),
  }
  page.ended = read(pool, page, gone.signal, known).catch((error) => {
    if (!gone.signal.aborted) progress(`a stream broke: ${error}`)
  })
  return page
}

async function read(pool: Pool, page: Page, signal: AbortSignal, known?: string): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: page.path,
    signal,
    headers: {
      accept: 'text/event-stream',
      'x-forwarded-for': page.address,
      ...(known !== undefined && { 'last-event-id': known }),
    },
  })
  if (statusCode !== 200) throw new Error(`a page was answered ${statusCode}: ${await body.text()}`)
  let text = ''
  for await (const chunk of body) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data === undefined) continue
      page.at = performance.now()
      page.states++
      page.id = /^id: (.*)$/m.exec(event)?.[1]
      page.status = JSON.parse(data).status
    }
  }
}

const metricsOf = async (stack: Stack) => (await fetch(stack.processes.get('api')?.metricsUrl() ?? '')).text()

async function metricOf(stack: Stack, name: RegExp): Promise<number> {
  const value = name.exec(await metricsOf(stack))?.[1]
  if (value === undefined) throw new Error(`the metrics of the api lack ${name}`)
  return Number(value)
}

const openOf = (stack: Stack) => metricOf(stack, /^cowry_checkout_pages\S* (\S+)/m)

/** The least of some moments: what waits to be collected is not held. */
async function memoryOf(stack: Stack): Promise<number> {
  const bytes: number[] = []
  for (let n = 0; n < 5; n++) {
    await settled()
    bytes.push(await metricOf(stack, /^cowry_process_resident_memory_bytes\S* (\S+)/m))
  }
  return Math.min(...bytes)
}

/** Transactions of the database so far. Postgres's processes report theirs after ten seconds at the latest. */
async function transactionsOf(stack: Stack): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  const [row] = await stack.db.query<{ n: number }>(
    'select xact_commit::int as n from pg_stat_database where datname = current_database()',
  )
  return row?.n ?? 0
}

/** Until memory has come to rest; nothing tells when it has. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1000))
