import { systemActor } from '../src/audit/recordAudit.ts'
import { outflowEventSources } from '../src/capabilities.ts'
import { dollarDecimals, parseUnits } from '../src/money/amount.ts'
import { proposeTopUpEnd } from '../src/outflows/bank/proposeTopUpEnd.ts'
import { decideEnd } from '../src/outflows/ends/decideEnd.ts'
import type { WantedEnd } from '../src/outflows/ends/handEvidence.ts'
import { proposedEnds } from '../src/outflows/ends/proposedEnds.ts'
import { proposeEnd } from '../src/outflows/ends/proposeEnd.ts'
import { readOutflows } from '../src/outflows/outflow.ts'
import { createOutflowEvents } from '../src/outflows/outflowEvents.ts'
import { ConfigError } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { isUuid } from '../src/platform/ids.ts'
import type { Secret } from '../src/platform/secrets.ts'
import { isRestored } from '../src/txmgr/restored.ts'
import type { OptionsOf } from './table.ts'

// The part of `cowry payouts` by which two operators end an outflow by hand.

const say = (text: string) => process.stdout.write(`${text}\n`)
const actor = systemActor('cowry payouts')

export type GivenToEnd = OptionsOf<'payouts'>

type Work = (db: Db) => Promise<undefined>

interface EndContext {
  show(id: string): Work
  appKey(): Secret
}

/** @returns null for arguments that are no such command */
export function endCommandOf(
  [command = '', ...words]: string[],
  given: GivenToEnd,
  ctx: EndContext,
): Work | null {
  const [id = '', status, ...more] = words
  if (command === 'ends') return words.length === 0 && Object.keys(given).length === 0 ? list : null
  if (!isUuid(id) || more.length > 0) return null
  if (command === 'end-top-up') return status === undefined ? proposeTopUp(id, given) : null
  if (command === 'approve-end') return status === undefined ? decide(ctx, id, 'approved', given) : null
  if (command === 'refuse-end') return status === undefined ? decide(ctx, id, 'refused', given) : null
  if (status === undefined) return Object.keys(given).length === 0 ? showEnd(ctx, id) : null
  return status === 'completed' || status === 'failed' ? propose(id, status, given) : null
}

const showEnd =
  ({ show }: EndContext, id: string): Work =>
  async (db: Db) => {
    await show(id)(db)
    const [row] = await readOutflows(db, 'id = $1', [id])
    const paid = row?.wallet ? '--tx <transaction>' : '--payment <id at the partner> --cost <US dollars>'
    const who = `--operator <your email> --evidence <text> --revision ${row?.revision}`
    if (row?.status === 'unknown') {
      say(`it was paid: npm run cowry -- payouts end ${id} completed ${paid} ${who}`)
      say(`it was not, and never will be: npm run cowry -- payouts end ${id} failed ${who}`)
    } else {
      const isLost = row?.wallet && (await isRestored(db))
      say(
        isLost
          ? `it left before the restore: npm run cowry -- payouts end ${id} completed ${paid} ${who}`
          : 'only an unknown one is ended as failed by hand',
      )
    }
    return undefined
  }

const operatorOf = ({ operator = '' }: GivenToEnd): string => {
  if (operator.trim() === '') throw new ConfigError('--operator: give the email of your account')
  return operator.trim()
}

function proposeTopUp(id: string, { operator, evidence = '', ...others }: GivenToEnd): Work | null {
  if (Object.keys(others).length > 0) return null
  const email = operatorOf({ operator })
  if (evidence.trim() === '') throw new ConfigError('--evidence: say how you know, with a reference')
  return async (db) => {
    sayProposed(id, 'not arrived', await proposeTopUpEnd({ db }, actor, id, evidence.trim(), email))
    return undefined
  }
}

function sayProposed(id: string, end: string, proposal: string): void {
  say(`proposed: ${id} is ended as ${end} when another operator approves it within 72 hours:`)
  say(`npm run cowry -- payouts approve-end ${proposal} --operator <email>`)
}

function propose(id: string, status: 'completed' | 'failed', given: GivenToEnd): Work {
  const [operator, evidence] = [operatorOf(given), given.evidence?.trim() ?? '']
  if (evidence === '') throw new ConfigError('--evidence: say how you know, with a reference')
  if (!/^\d{1,9}$/.test(given.revision ?? ''))
    throw new ConfigError(`--revision: give the one that npm run cowry -- payouts end ${id} shows`)
  const cost = given.cost === undefined ? undefined : parseUnits(given.cost, dollarDecimals)
  if (cost === null) throw new ConfigError('--cost: give an amount of US dollars, such as 99.5')
  const wanted: WantedEnd = {
    ...{
      status,
      evidence,
      revision: Number(given.revision),
      txId: given.tx,
      partnerPaymentId: given.payment,
    },
    ...{ partnerCost: cost, paidByPlatform: given.elsewhere },
  }
  return async (db) => {
    sayProposed(id, status, await proposeEnd({ db }, actor, id, wanted, operator))
    return undefined
  }
}

function decide(
  { appKey }: EndContext,
  id: string,
  decision: 'approved' | 'refused',
  { operator, ...others }: GivenToEnd,
): Work | null {
  if (Object.keys(others).length > 0) return null
  const email = operatorOf({ operator })
  return async (db) => {
    const after = await decideEnd(
      { db, outflowEvents: createOutflowEvents(outflowEventSources, { appKey: appKey() }) },
      actor,
      id,
      decision,
      email,
    )
    if (after === null) say(`${id} is refused: nothing changes`)
    else if (after.kind === 'top_up' && after.status === 'completed')
      say(
        `${after.id} is over: the next top-up is made when the balance is too low. Correct the books by an adjustment if the money is lost`,
      )
    else {
      const money = after.status === 'failed' ? 'its money is back' : 'its money is booked as paid'
      say(`${after.id} is ${after.status}: ${money}. What chain or partner say later is compared`)
    }
    return undefined
  }
}

async function list(db: Db): Promise<undefined> {
  const rows = await proposedEnds(db)
  for (const { id, outflowId, status, evidence, proposer, expiresAt } of rows)
    say([id, `until ${expiresAt.toISOString()}`, outflowId, status, proposer, evidence].join('  '))
  say(`${rows.length} proposed`)
  return undefined
}
