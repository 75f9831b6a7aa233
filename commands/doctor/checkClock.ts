import type { Db } from '../../src/platform/database/db.ts'
import { stepMs } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, advice, fault } = findingsOf('clock')

/**
 * This machine is behind another by at least this; below zero: ahead. Zero where both may be the same time.
 */
export interface Skew {
  of: string
  behindMs: number
}

/** Codes of second factors hold for 30 s, and signatures of requests and webhooks for minutes. */
const maxSkewMs = 5000

/** @param from,to the other's time is within this */
export function skewOf(of: string, sentAt: number, heardAt: number, from: number, to: number): Skew {
  // The other read its clock at some moment between.
  if (from > heardAt) return { of, behindMs: from - heardAt }
  if (to < sentAt) return { of, behindMs: to - sentAt }
  return { of, behindMs: 0 }
}

export async function databaseSkew(db: Db): Promise<Skew | null> {
  const sentAt = Date.now()
  const [row] = await db.query<{ at: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as at',
  )
  return row ? skewOf('Postgres', sentAt, Date.now(), row.at, row.at) : null
}

/** By the `Date` header, which has whole seconds; null where the host sends no such header. */
async function httpSkew(url: URL): Promise<Skew | null> {
  const sentAt = Date.now()
  try {
    const answer = await fetch(url.origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(stepMs),
    })
    const at = Date.parse(answer.headers.get('date') ?? '')
    return Number.isNaN(at) ? null : skewOf(url.host, sentAt, Date.now(), at, at + 1000)
  } catch {
    return null
  }
}

/** So many hosts may have a wrong clock of their own where Postgres agrees with this machine. */
const maxWrongHosts = 2

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0
const seconds = (ms: number) => Math.round(Math.abs(ms) / 1000)

/**
 * Compares this machine's clock with Postgres, and with hosts that it talks to. One host that differs from
 * the others has a wrong clock of its own; so have one or two where Postgres agrees with this machine.
 */
export async function checkClock(urls: readonly string[], database: readonly Skew[]): Promise<Finding[]> {
  const hosts = new Map(
    urls.filter((url) => URL.canParse(url)).map((url) => [new URL(url).host, new URL(url)]),
  )
  const web = (await Promise.all([...hosts.values()].map(httpSkew))).filter((skew) => skew !== null)
  const found: Finding[] = []
  const [db] = database
  const isOff = ({ behindMs }: Skew) => Math.abs(behindMs) > maxSkewMs
  if (db && isOff(db))
    found.push(
      fault(
        'Postgres',
        'clock_database',
        sentence(db),
        'Let NTP keep the clocks of both machines (timedatectl set-ntp true, or chrony): claims and quotes end by them.',
      ),
    )
  const believesDb = db !== undefined && !isOff(db) && web.filter(isOff).length <= maxWrongHosts
  const usual = believesDb ? 0 : median(web.map(({ behindMs }) => behindMs))
  // The first of the hosts that agree, so that each run names the same.
  const first = web.find(({ behindMs }) => Math.abs(behindMs - usual) <= maxSkewMs)
  if (first && Math.abs(usual) > maxSkewMs)
    found.push(
      fault(
        'this machine',
        'clock_wrong',
        sentence(first),
        'Let NTP keep this machine’s clock (timedatectl set-ntp true, or chrony): partners and AWS refuse signed requests, and codes of second factors fail.',
      ),
    )
  for (const skew of web)
    if (Math.abs(usual) <= maxSkewMs && isOff(skew))
      found.push(
        advice(
          skew.of,
          'clock_of_host',
          `${sentence(skew)}; ${believesDb ? 'Postgres agrees' : 'other hosts agree'} with it`,
          'Report it to its operator. Where Postgres runs on this machine, look whether NTP keeps the clock (timedatectl).',
        ),
      )
  if (found.length === 0 && web.length + database.length > 0)
    found.push(
      ok(
        'this machine',
        `agrees with ${[...(db ? ['Postgres'] : []), ...web.map(({ of }) => of)].join(', ')}`,
      ),
    )
  return found
}

const sentence = ({ of, behindMs }: Skew): string =>
  `this machine’s clock is ${seconds(behindMs)} s ${behindMs > 0 ? 'behind' : 'ahead of'} that of ${of}`
