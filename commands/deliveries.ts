import { recordAudit, systemActor } from '../src/audit/recordAudit.ts'
import { readConfig } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { isUuid } from '../src/platform/ids.ts'
import { type EraseFilter, eraseDeliveries, summary } from '../src/webhooks/eraseDeliveries.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const actor = systemActor('cowry deliveries')

export const run = program(
  'deliveries',
  async (
    [command, business = '', ...more],
    { endpoint, event, before, 'give-up-pending': giveUpPending = false },
  ) => {
    const of =
      business === 'all'
        ? before !== undefined && endpoint === undefined && event === undefined
        : isUuid(business)
    const understood =
      [endpoint, event].every((id) => id === undefined || isUuid(id)) &&
      (before === undefined || isDate(before))
    if (command !== 'erase' || more.length > 0 || !of || !understood) throw new UsageError()
    const narrowed = {
      ...(endpoint && { endpointId: endpoint }),
      ...(event && { eventId: event }),
      ...(before && { before: new Date(before) }),
    }
    await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, async (db) => {
      const businesses = business === 'all' ? await allBusinesses(db) : [business]
      for (const businessId of businesses)
        await erase(db, { ...narrowed, businessId }, giveUpPending, businesses.length > 1)
    })
  },
)

/** A date, or a time with its zone. */
function isDate(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
}

async function allBusinesses(db: Db): Promise<string[]> {
  const rows = await db.query<{ id: string }>('select id from businesses order by id')
  return rows.map(({ id }) => id)
}

async function erase(
  db: Db,
  filter: EraseFilter,
  giveUpPending: boolean,
  isOneOfMany: boolean,
): Promise<void> {
  const { businessId, endpointId, eventId, before } = filter
  const after = {
    endpointId: endpointId ?? null,
    eventId: eventId ?? null,
    before: before?.toISOString() ?? null,
    giveUpPending,
  }
  // At once: a batch that was erased has an entry, even where the command is killed.
  await recordAudit(db, actor, { businessId, action: 'webhooks.erasing_begun', target: null, after })
  if (isOneOfMany) say(`business ${businessId}`)
  const erased = await eraseDeliveries({ db, say }, filter, { giveUpPending })
  if (erased.events + erased.deliveries === 0) say(summary(erased))
  await recordAudit(db, actor, { businessId, action: 'webhooks.erased', target: null, after: erased })
}
