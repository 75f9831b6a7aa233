import type { Queryable } from '../platform/database/db.ts'
import type { Monitoring } from './monitorAddresses.ts'
import { displayOn } from './view.ts'

/** The result for each address of a request, in its order. */
export interface MonitoredAnswer {
  added: number
  existing: number
  importId: string | null
  addresses: { id: string; address: string; created: boolean }[]
}

/** The same with ids only: the stored form. */
export interface ShortMonitored {
  importId: string | null
  ids: string[]
  /** One digit per id: 1 if it was added. */
  created: string
}

export function answerMonitored({ entries, importId }: Monitoring): MonitoredAnswer {
  return counted(
    importId,
    entries.map(({ view: { id, address }, created }) => ({ id, address, created })),
  )
}

export const shortMonitored = ({ importId, addresses }: MonitoredAnswer): ShortMonitored => ({
  importId,
  ids: addresses.map(({ id }) => id),
  created: addresses.map(({ created }) => (created ? '1' : '0')).join(''),
})

/** Rebuilds the answer: entries are never deleted and never change their address. */
export async function monitoredAnswer(
  db: Queryable,
  businessId: string,
  { importId, ids, created }: ShortMonitored,
): Promise<MonitoredAnswer> {
  const rows = await db.query<{ id: string; chain: string; address: string }>(
    'select id, chain, address from monitored_addresses where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  )
  const shown = new Map(rows.map(({ id, chain, address }) => [id, displayOn(chain, address)]))
  return counted(
    importId,
    ids.map((id, index) => ({ id, address: shown.get(id) ?? '', created: created[index] === '1' })),
  )
}

function counted(importId: string | null, addresses: MonitoredAnswer['addresses']): MonitoredAnswer {
  const added = addresses.filter(({ created }) => created).length
  return { added, existing: addresses.length - added, importId, addresses }
}
