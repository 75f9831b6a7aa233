import { systemActor } from '../src/audit/recordAudit.ts'
import { formatUnits } from '../src/money/amount.ts'
import { compareOutflows, isSound } from '../src/outflows/bank/compareOutflows.ts'
import { openOutflows } from '../src/outflows/openOutflows.ts'
import { type Outflow, readOutflows } from '../src/outflows/outflow.ts'
import { pauseOf, pausePartner, resumePartner } from '../src/partnerPayments/partnerPauses.ts'
import { partnerPaymentSettings } from '../src/partnerPayments/settings.ts'
import { yellowCardFrom } from '../src/partners/yellowcard/fromSettings.ts'
import { createPaymentPartner } from '../src/partners/yellowcard/paymentPartner.ts'
import { appKeyOf } from '../src/platform/appKey.ts'
import { ConfigError, readConfig, readSettings } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { isUuid } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { partnerSettings } from '../src/pricing/settings.ts'
import { isRestored } from '../src/txmgr/restored.ts'
import { endCommandOf, type GivenToEnd } from './payoutEnds.ts'
import { program } from './program.ts'
import { amountOf, openLine, placeOf } from './shownOutflow.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const actor = systemActor('cowry payouts')
const partners: readonly string[] = ['yellowcard']
const maxListed = 200

function workOf([command = 'list', ...words]: string[]): (db: Db) => Promise<number | undefined> {
  const [first = '', ...rest] = words
  if (command === 'list' && words.length === 0)
    return list("status not in ('completed', 'failed', 'cancelled', 'returned')")
  if (command === 'unknown' && words.length === 0) return list("status = 'unknown'")
  if (command === 'restored' && words.length === 0) return listOpen
  if (command === 'show' && isUuid(first) && rest.length === 0) return show(first)
  if (command === 'pause' && rest.join(' ').trim() !== '')
    return pause(partnerOf(first), rest.join(' ').trim())
  if (command === 'resume' && rest.length === 0) return resume(partnerOf(first))
  if (command === 'compare' && words.length === 0) return compare
  throw new UsageError()
}

function partnerOf(name: string): string {
  if (partners.includes(name)) return name
  throw new ConfigError(`${name} is not a payout partner: use ${partners.join(', ')}`)
}

/** An operator sees those of every business. */
const list = (where: string) => async (db: Db) => {
  const rows = await readOutflows(db, `${where} order by id desc limit ${maxListed}`, [])
  for (const row of rows) say(lineOf(row))
  const [count] = await db.query<{ total: number }>(
    `select count(*)::int as total from outflows where ${where}`,
  )
  const total = count?.total ?? 0
  say(`${total} in all${total > rows.length ? `; the newest ${rows.length} are shown` : ''}`)
  return undefined
}

function lineOf(row: Outflow): string {
  return [
    row.createdAt.toISOString(),
    row.id,
    row.kind,
    row.status,
    amountOf(row),
    placeOf(row),
    row.reason ?? '',
    row.partnerStatus ?? '',
  ]
    .join('  ')
    .trimEnd()
}

const show = (id: string) => async (db: Db) => {
  const [row] = await readOutflows(db, 'id = $1', [id])
  if (!row) throw new ConfigError(`there is no payout, refund or top-up ${id}`)
  const facts = {
    kind: row.kind,
    business: row.businessId,
    session: row.sessionId,
    status: row.status,
    reason: row.reason,
    amount: amountOf(row),
    to: placeOf(row),
    'local amount': row.bank?.price && `${row.bank.price.localAmount} ${row.bank.currency}`,
    intent: row.intentId,
    submitted: row.submittedAt?.toISOString(),
    'partner payment': row.partnerPaymentId,
    'partner status': row.partnerStatus,
    tries: row.tries,
    revision: row.revision,
    'ended by': row.byHand?.by,
    evidence: row.byHand?.evidence,
    'by transaction': row.byHand?.txId,
    contradicted: row.contradictedAt?.toISOString(),
    created: row.createdAt.toISOString(),
    completed: row.completedAt?.toISOString(),
  }
  for (const [name, value] of Object.entries(facts))
    if (value !== null && value !== undefined) say(`${name}: ${value}`)
  return undefined
}

/** After a restore each of them may have left. */
async function listOpen(db: Db): Promise<undefined> {
  say(
    (await isRestored(db))
      ? 'the database was restored: none of these leaves before npm run cowry -- intents reconciled'
      : 'the database is the acknowledged one',
  )
  const rows = await openOutflows(db)
  for (const row of rows) say(openLine(row))
  say(`${rows.length} open`)
  return undefined
}

const pause = (partner: string, reason: string) => async (db: Db) => {
  await pausePartner({ db }, actor, partner, reason)
  const now = await pauseOf(db, partner)
  say(`${partner} is paused since ${now?.since.toISOString()} by ${now?.by}: ${now?.reason}`)
  return undefined
}

const resume = (partner: string) => async (db: Db) => {
  await resumePartner({ db }, actor, partner)
  say(`${partner} is not paused`)
  return undefined
}

async function compare(db: Db): Promise<number> {
  const account = yellowCardFrom({
    ...readSettings('worker', partnerSettings),
    ...readSettings('worker', partnerPaymentSettings),
  })
  if (!account) throw new ConfigError('YELLOWCARD_API_KEY is not set: there is no payout partner')
  const payments = createPaymentPartner(account)
  const log = createLog('payouts', 'silent')
  const compared = await compareOutflows(
    { db, log, partner: { payments }, signal: new AbortController().signal },
    'now',
  )
  if (!compared) throw new ConfigError('it was not compared: try again')
  for (const { place, problem, outflowId, partnerPaymentId } of compared.mismatches)
    say(`${place}  ${problem}  payout ${outflowId ?? 'none'}  payment ${partnerPaymentId ?? 'none'}`)
  if (compared.drift !== null && compared.drift !== 0n)
    say(`balance  the account has ${formatUnits(compared.drift, 6)} USD above the books`)
  say(
    isSound(compared)
      ? 'No differences.'
      : `${compared.mismatches.length} payments or payouts without the other.`,
  )
  return isSound(compared) ? 0 : 1
}

const appKey = () => appKeyOf(readConfig(['APP_KEY', 'APP_KEY_PREVIOUS']))
const ofEnds: readonly string[] = ['end', 'ends', 'end-top-up', 'approve-end', 'refuse-end']

function chosen(words: string[], given: GivenToEnd): ((db: Db) => Promise<number | undefined>) | null {
  const [command = ''] = words
  if (ofEnds.includes(command)) return endCommandOf(words, given, { show, appKey })
  return Object.keys(given).length === 0 ? workOf(words) : null
}

export const run = program('payouts', async (words, given) => {
  const work = chosen(words, given)
  if (!work) throw new UsageError()
  let code = 0
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, async (db) => {
    code = (await work(db)) ?? 0
  })
  return code
})
