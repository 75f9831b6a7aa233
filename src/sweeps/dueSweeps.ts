import type { Queryable } from '../platform/database/db.ts'

/** What a job works on: a sweep, or an address whose sweeps are to be planned. */
export type Due = { sweepId: string } | { chain: string; address: string }

const maxAtOnce = 200
/** Limits the addresses of one business and chain that wait for workers at a time. */
const maxOfBusiness = 50

export const dueText = (due: Due): string =>
  'sweepId' in due ? `sweep ${due.sweepId}` : `source ${due.chain} ${due.address}`

/** @throws Error for another text */
export function readDue(text: string): Due {
  const [kind, first, second] = text.split(' ')
  if (kind === 'sweep' && first) return { sweepId: first }
  if (kind === 'source' && first && second) return { chain: first, address: second }
  throw new Error(`"${text}" names no sweep`)
}

/**
 * Open sweeps that are due, then addresses of businesses whose autosweep is on for their chain: takes turns
 * between these.
 */
export async function dueSweeps(db: Queryable): Promise<string[]> {
  const sweeps = await db.query<{ id: string }>(
    'select id from sweeps where next_at <= now() order by next_at limit $1',
    [maxAtOnce],
  )
  const sources = await db.query<{ chain: string; address: string }>(
    `select due.chain, due.address from (select distinct business_id, chain from sweep_settings where enabled) s cross join lateral (
       select c.chain, c.address, c.next_at, row_number() over (order by c.next_at) as turn from sweep_sources c
       where c.business_id = s.business_id and c.chain = s.chain and c.next_at <= now() order by c.next_at limit $2) due where due.turn <= $2
     union (select c.chain, c.address from sweep_settings s join sweep_sources c
       on c.business_id = s.business_id and c.chain = s.chain and c.waits and c.planned_at < s.updated_at limit $2)
     union (select chain, address from sweep_sources where forced and next_at <= now() order by next_at limit $2) limit $1`,
    [maxAtOnce, maxOfBusiness],
  )
  return [...sweeps.map(({ id }) => dueText({ sweepId: id })), ...sources.map(dueText)]
}
