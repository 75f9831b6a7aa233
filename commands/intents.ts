import { recordAudit, systemActor } from '../src/audit/recordAudit.ts'
import { bridge } from '../src/bridge/capability.ts'
import { shownForm } from '../src/chains/codecs.ts'
import { chainNames } from '../src/chains/registry.ts'
import { transferBuilder } from '../src/chains/transferBuilders.ts'
import { createProver } from '../src/custody/proof.ts'
import { formatUnits, parseUnits } from '../src/money/amount.ts'
import { resumeAfterRestore } from '../src/outflows/checkAfterRestore.ts'
import { outflowPurpose } from '../src/outflows/outflowPurpose.ts'
import { ConfigError, readConfig, readSettings } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { notFound } from '../src/platform/errors.ts'
import { isUuid } from '../src/platform/ids.ts'
import { transferPurpose } from '../src/transfers/transferPurpose.ts'
import { openIntents, unsettledIntents } from '../src/txmgr/dueIntents.ts'
import { repriceIntent, showPrice, type WantedPrice } from '../src/txmgr/fees/repriceIntent.ts'
import { giveUp } from '../src/txmgr/giveUp.ts'
import { holdIntent, releaseIntent, waitingBehind } from '../src/txmgr/holdIntent.ts'
import { businessTransfer } from '../src/txmgr/intents.ts'
import { pauseSending, readPauses, resumeSending } from '../src/txmgr/pause.ts'
import { acknowledgeRestore, declareRestored, isRestored } from '../src/txmgr/restored.ts'
import { txmgrSettings } from '../src/txmgr/settings.ts'
import { proveIntent, unprovenIntents } from '../src/txmgr/unproven.ts'
import { limitedChains } from './limitedChains.ts'
import { program } from './program.ts'
import { shownAction } from './shownAction.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const actor = systemActor('cowry intents')
const restoredNow =
  'the database was restored: nothing is signed or sent on any chain before npm run cowry -- intents reconciled'

const isChain = (text: string) => (chainNames as readonly string[]).includes(text)
/** Returns a command's function; null if its arguments are wrong. */
const commands: Record<string, (args: string[]) => ((db: Db) => Promise<void>) | null> = {
  pause: ([chain = '', ...reason]) =>
    isChain(chain) && reason.length > 0 ? (db) => stop(db, chain, reason.join(' ')) : null,
  resume: ([chain = '', ...more]) => (isChain(chain) && more.length === 0 ? (db) => resume(db, chain) : null),
  hold: ([id = '', ...reason]) =>
    isUuid(id) && reason.length > 0 ? (db) => hold(db, id, reason.join(' ')) : null,
  release: ([id = '', ...more]) => (isUuid(id) && more.length === 0 ? (db) => release(db, id) : null),
  reprice: ([id = '', price = '', ...more]) => {
    const wanted = readPrice(price)
    return isUuid(id) && wanted !== null && more.length === 0 ? (db) => reprice(db, id, wanted) : null
  },
  'declare-restored': (args) => (args.length === 0 ? declare : null),
  restored: (args) => (args.length === 0 ? listOpen : null),
  'give-up': ([id = '', ...more]) => (isUuid(id) && more.length === 0 ? (db) => end(db, id) : null),
  reconciled: (args) => (args.length === 0 ? acknowledge : null),
  unproven: (args) => (args.length === 0 ? listUnproven : null),
  prove: ([id = '', ...more]) => (isUuid(id) && more.length === 0 ? (db) => prove(db, id) : null),
}

export const run = program('intents', async ([command, ...args]) => {
  const work =
    command === undefined ? list : (Object.hasOwn(commands, command) && commands[command]?.(args)) || null
  if (work === null) throw new UsageError()
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, work)
})

async function stop(db: Db, chain: string, reason: string): Promise<void> {
  await pauseSending(db, chain, reason)
  say(`${chain} is paused: nothing is signed or sent until it is resumed`)
}

async function resume(db: Db, chain: string): Promise<void> {
  say((await resumeSending(db, chain)) ? `${chain} is resumed` : `${chain} was not paused`)
}

async function list(db: Db): Promise<void> {
  if (await isRestored(db)) say(restoredNow)
  for (const pause of await readPauses(db))
    say(`paused: ${pause.chain} since ${pause.pausedAt.toISOString()}: ${pause.reason}`)
  const rows = await unsettledIntents(db)
  for (const row of rows) {
    const nonce = row.nonce === null ? '' : ` #${row.nonce}`
    say(
      `${row.id}  ${row.createdAt.toISOString()}  ${row.chain}  ${row.from}${nonce}  ${row.signer}  ${row.held ? 'held' : row.status}  ${row.txId ?? '-'}  ${row.heldReason === null ? (row.reason ?? '') : `held: ${row.heldReason}`}`,
    )
  }
  say(`${rows.length} not settled`)
}

/** Reads `30gwei` or `1.5x`. */
function readPrice(text: string): WantedPrice | null {
  const [, amount = '', unit] = /^(.*?)(gwei|x)$/.exec(text) ?? []
  const value = parseUnits(amount, unit === 'x' ? 2 : 9)
  if (unit === undefined || value === null || value === 0n) return null
  return unit === 'x' ? { percent: value } : { price: value }
}

async function hold(db: Db, id: string, reason: string): Promise<void> {
  const { row, behind } = await db.tx(async (tx) => {
    const before = await holdIntent(tx, id, reason)
    const after = { held: reason }
    await recordAudit(tx, actor, {
      businessId: before.businessId,
      action: 'transfer.held',
      target: id,
      before: { status: before.status },
      after,
    })
    return { row: before, behind: await waitingBehind(tx, before) }
  })
  say(
    `${id} is held: it is ${row.status}, and from now on neither signed nor sent; npm run cowry -- intents release ${id}`,
  )
  if (behind > 0) say(`${behind} later transfers of its address have higher nonces, and wait for it`)
}

async function release(db: Db, id: string): Promise<void> {
  const released = await db.tx(async (tx) => {
    const before = await releaseIntent(tx, id)
    if (before)
      await recordAudit(tx, actor, { businessId: before.businessId, action: 'transfer.released', target: id })
    return before
  })
  say(released ? `${id} is released` : `${id} was not held`)
}

async function reprice(db: Db, id: string, wanted: WantedPrice): Promise<void> {
  const [found] = await db.query<{ chain: string }>('select chain from intents where id = $1', [id])
  const chain = limitedChains().find(({ name }) => name === found?.chain)
  if (!chain) throw notFound('Intent')
  const builder = await transferBuilder(chain)
  const { before, after } = await db.tx(async (tx) => {
    const repriced = await repriceIntent(tx, chain, builder, id, wanted)
    const [was, is] = [{ price: String(repriced.before) }, { price: String(repriced.after) }]
    await recordAudit(tx, actor, {
      businessId: repriced.row.businessId,
      action: 'transfer.repriced',
      target: id,
      before: was,
      after: is,
    })
    return repriced
  })
  say(
    `${id}: a transaction at ${showPrice(after)} replaces the one at ${showPrice(before)}, as soon as the treasury has signed it`,
  )
}

async function declare(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    await declareRestored(tx)
    await recordAudit(tx, actor, { businessId: null, action: 'database.declared_restored', target: null })
  })
  say(`declared: ${restoredNow}, and the treasury derives new addresses`)
}

async function listOpen(db: Db): Promise<void> {
  say((await isRestored(db)) ? restoredNow : 'the database is the acknowledged one: nothing is held back')
  const rows = await openIntents(db)
  for (const row of rows) {
    const nonce = row.nonce === null ? '' : ` #${row.nonce}`
    const what = `${row.chain}  ${shownForm(row.from)}${nonce}  ${shownAction(row)}  ${row.signer}  ${row.status}  ${row.txId ?? '-'}`
    say(`${row.id}  ${row.createdAt.toISOString()}  ${what}`)
  }
  say(`${rows.length} open`)
}

async function end(db: Db, id: string): Promise<void> {
  await db.tx(async (tx) => {
    const row = await giveUp(
      { purposes: [transferPurpose, outflowPurpose, ...(bridge.intents ?? [])] },
      tx,
      id,
    )
    // Its business would get the money back, though it had left.
    if (row.purpose === 'payout' && (await isRestored(tx)))
      throw new ConfigError(
        `${id} is of a payout: npm run cowry -- payouts restored lists it, npm run cowry -- payouts end ends it`,
      )
    const after = { status: 'failed', reason: 'given_up' }
    await recordAudit(tx, actor, {
      businessId: row.businessId,
      action: 'transfer.given_up',
      target: id,
      before: { status: row.status },
      after,
    })
  })
  say(`${id} has failed (given_up), and its business is notified; nothing was signed for it here`)
}

async function listUnproven(db: Db): Promise<void> {
  const rows = await unprovenIntents(db)
  for (const { id, createdAt, chain, businessId, action: transfer, symbol, decimals } of rows.map(
    businessTransfer,
  )) {
    const what = `${shownForm(transfer.from)}  ${shownForm(transfer.to)}  ${formatUnits(transfer.amount, decimals)} ${symbol}`
    say(`${id}  ${createdAt.toISOString()}  ${chain}  ${what}  of business ${businessId}`)
  }
  say(`${rows.length} without a proof`)
}

async function prove(db: Db, id: string): Promise<void> {
  const prover = createProver(readSettings('api', txmgrSettings.api).API_INTENT_KEY)
  const proven = await db.tx(async (tx) => {
    const row = await proveIntent(tx, id, prover)
    if (row)
      await recordAudit(tx, actor, { businessId: row.businessId, action: 'transfer.proven', target: id })
    return row
  })
  if (!proven) throw new ConfigError(`${id} does not wait for the treasury without a proof`)
  say(`${id} is proven: the treasury signs it if its other checks pass`)
}

async function acknowledge(db: Db): Promise<void> {
  const known = await db.tx(async (tx) => {
    const change = await acknowledgeRestore(tx)
    const [before, after] = [{ identity: change?.before ?? null }, { identity: change?.after ?? null }]
    if (change) await resumeAfterRestore(tx)
    if (change)
      await recordAudit(tx, actor, {
        businessId: null,
        action: 'outgoing.reconciled',
        target: null,
        before,
        after,
      })
    return change
  })
  say(known ? 'acknowledged: everything is signed and sent again' : 'there was nothing to acknowledge')
}
