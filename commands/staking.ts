import { systemActor } from '../src/audit/recordAudit.ts'
import type { Family } from '../src/chains/chain.ts'
import { addressCodec, shownForm } from '../src/chains/codecs.ts'
import { createProver } from '../src/custody/proof.ts'
import { formatUnits } from '../src/money/amount.ts'
import { readConfig, readSettings } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { isUuid } from '../src/platform/ids.ts'
import { isLeftToOperator } from '../src/staking/duePayment.ts'
import { readPayments } from '../src/staking/payments.ts'
import { retryPayment } from '../src/staking/retryPayment.ts'
import { netOf, readStakes, type Stake } from '../src/staking/storedStake.ts'
import { txmgrSettings } from '../src/txmgr/settings.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const actor = systemActor('cowry staking')
const maxListed = 200

function workOf(
  [command = 'list', id = '', ...more]: string[],
  evidence: string,
): ((db: Db) => Promise<void>) | null {
  if (command === 'retry')
    return isUuid(id) && more.length === 0 && evidence !== '' ? retry(id, evidence) : null
  if (command === 'addresses') return id === '' && evidence === '' ? addresses : null
  return command === 'list' && id === '' && evidence === '' ? list : null
}

const unpaid = `type = 'pooled' and withdraw_requested_at is not null and reason is null
  and (status = 'unstaking' or (rewards > 0 and not exists (
    select 1 from stake_payments p join intents i on i.id = p.intent_id
    where p.stake_id = stakes.id and p.rewards > 0 and i.status = 'confirmed')))`

async function list(db: Db): Promise<void> {
  const rows = await readStakes(db, `${unpaid} order by withdraw_requested_at, id limit ${maxListed}`, [])
  for (const row of rows) say(await lineOf(db, row))
  const [count] = await db.query<{ total: number }>(
    `select count(*)::int as total from stakes where ${unpaid}`,
  )
  const total = count?.total ?? 0
  say(`${total} in all${total > rows.length ? `; the oldest ${rows.length} are shown` : ''}`)
}

async function lineOf(db: Db, stake: Stake): Promise<string> {
  const payments = await readPayments(db, stake.id)
  const units = (amount: bigint) => `${formatUnits(amount, stake.decimals)} ${stake.token}`
  const amounts = `${units(netOf(stake))} + ${units(stake.rewards ?? 0n)}`
  const states = payments.map(({ status }) => status).join(', ') || 'no payment'
  const state = isLeftToOperator(stake, payments) ? `${states}  for the operator` : states
  return `${stake.id}  ${stake.withdrawRequestedAt?.toISOString()}  ${stake.chain}  ${shownForm(stake.from)}  ${amounts}  ${state}`
}

/** As wallets take them. */
async function addresses(db: Db): Promise<void> {
  const rows = await db.query<{ family: Family; address: string }>(
    'select family, address from staking_addresses order by family',
  )
  for (const { family, address } of rows) say(`${family}  ${addressCodec(family).display(address)}`)
}

const retry = (id: string, evidence: string) => async (db: Db) => {
  const prover = createProver(readSettings('api', txmgrSettings.api).API_INTENT_KEY)
  const replaced = await db.tx((tx) => retryPayment(tx, actor, prover, id, evidence))
  say(`${id} is paid once more, when nothing of these can be mined any more: ${replaced.join(', ')}`)
}

export const run = program('staking', async (words, { evidence = '' }) => {
  const work = workOf(words, evidence.trim())
  if (!work) throw new UsageError()
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, work)
})
