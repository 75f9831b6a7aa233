import { systemActor } from '../src/audit/recordAudit.ts'
import { bridge } from '../src/bridge/capability.ts'
import { setApproval, viewBusiness } from '../src/businesses/operateBusinesses.ts'
import { shownForm } from '../src/chains/codecs.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import { ApiError } from '../src/platform/errors.ts'
import { isUuid } from '../src/platform/ids.ts'
import { giveUpTransfer } from '../src/transfers/giveUpTransfer.ts'
import { transferPurpose } from '../src/transfers/transferPurpose.ts'
import { heldIntents } from '../src/txmgr/dueIntents.ts'
import { program } from './program.ts'
import { shownAction } from './shownAction.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const actor = systemActor('cowry business')

/** Returns a command's function; null if its arguments are wrong. */
const commands: Record<string, (id: string, more: string[]) => ((db: ModelDb) => Promise<void>) | null> = {
  show: (id, more) => (more.length === 0 ? (db) => show(db, id) : null),
  hold: (id, reason) => (reason.length > 0 ? (db) => hold(db, id, reason.join(' ')) : null),
  release: (id, more) => (more.length === 0 ? (db) => release(db, id) : null),
  'give-up': (id, transfers) => (transfers.every(isUuid) ? (db) => end(db, id, transfers) : null),
}

export const run = program('business', async ([command, id = '', ...more]) => {
  const known = command !== undefined && Object.hasOwn(commands, command) && isUuid(id)
  const work = command === undefined ? list : (known && commands[command]?.(id, more)) || null
  if (work === null) throw new UsageError()
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, work)
})

async function list(db: ModelDb): Promise<void> {
  const suspended = await db.query<{ id: string }>(
    "select id from businesses where approval = 'suspended' order by id",
  )
  for (const { id } of suspended) await printBusiness(db, id)
  say(`${suspended.length} suspended`)
}

async function printBusiness(db: ModelDb, id: string): Promise<void> {
  const { name, approval, approvalReason, heldTransfers } = await viewBusiness({ db }, id)
  say(`${id}  ${name}  ${approval}  ${heldTransfers} transfers held  ${approvalReason ?? ''}`.trimEnd())
}

async function show(db: ModelDb, id: string): Promise<void> {
  await printBusiness(db, id)
  for (const row of await heldIntents(db, id)) {
    say(
      `${row.id}  ${row.createdAt.toISOString()}  ${row.chain}  ${shownForm(row.from)}  ${shownAction(row)}  ${row.signer}  ${row.status}`,
    )
  }
}

async function hold(db: ModelDb, id: string, reason: string): Promise<void> {
  await setApproval({ db }, actor, id, 'suspended', reason)
  await printBusiness(db, id)
}

async function release(db: ModelDb, id: string): Promise<void> {
  await setApproval({ db }, actor, id, 'approved', null)
  await printBusiness(db, id)
}

async function end(db: ModelDb, id: string, transfers: readonly string[]): Promise<void> {
  const { name, approval } = await viewBusiness({ db }, id)
  if (approval !== 'suspended') throw new ConfigError(`${name} is not suspended: nothing of it is held`)
  const held = (await heldIntents(db, id))
    .filter(({ purpose }) => purpose === 'transfer' || purpose === 'bridge-burn')
    .map((row) => row.id)
  const notHeld = transfers.filter((each) => !held.includes(each))
  if (notHeld.length > 0) throw new ConfigError(`not held: ${notHeld.join(', ')}`)
  let left = 0
  for (const transfer of transfers.length > 0 ? transfers : held) {
    const refused = await endOne(db, id, transfer)
    if (refused === null) continue
    left++
    say(`${transfer} stays as it is: ${refused}`)
  }
  await printBusiness(db, id)
  if (left > 0) process.exitCode = 1
}

/** @returns why it was not ended; null if it has ended */
async function endOne(db: ModelDb, businessId: string, id: string): Promise<string | null> {
  try {
    await giveUpTransfer(
      { db, purposes: [transferPurpose, ...(bridge.intents ?? [])] },
      actor,
      businessId,
      id,
    )
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
