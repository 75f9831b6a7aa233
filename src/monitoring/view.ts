import { addressCodec } from '../chains/codecs.ts'
import { registry } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { MonitoredTokens } from './models.ts'

/** A monitored address as the API answers it. Times are ISO 8601 in UTC. */
export interface MonitoredAddressView {
  id: string
  chain: string
  address: string
  businessId: string
  tokens: MonitoredTokens
  metadata: Record<string, unknown> | null
  /** First block whose transfers are detected; null if the chain had not been read yet. */
  fromBlock: number | null
  createdAt: string
}

export interface MonitoredRow {
  id: string
  businessId: string
  chain: string
  address: string
  tokens: MonitoredTokens
  metadata: Record<string, unknown> | null
  createdAt: Date
}

export const presentMonitored = (
  row: MonitoredRow,
  fromHeight: string | number | null,
): MonitoredAddressView => ({
  id: row.id,
  chain: row.chain,
  address: displayOn(row.chain, row.address),
  businessId: row.businessId,
  tokens: row.tokens,
  metadata: row.metadata,
  fromBlock: fromHeight === null ? null : Number(fromHeight),
  createdAt: row.createdAt.toISOString(),
})

/** The start height of each watch, by its id. */
export async function fromHeights(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await db.query<{ id: string; fromHeight: string | null }>(
    'select id, from_height as "fromHeight" from watches where id = any($1::uuid[])',
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row.fromHeight]))
}

/** Display form of an address. */
export function displayOn(name: string, address: string): string {
  const chain = registry.find((each) => each.name === name)
  if (!chain) throw new Error(`an address is monitored on ${name}, an unknown chain`)
  return addressCodec(chain.family).display(address)
}
