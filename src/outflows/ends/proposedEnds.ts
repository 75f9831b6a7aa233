import type { Queryable } from '../../platform/database/db.ts'

export interface ProposedEnd {
  id: string
  outflowId: string
  status: string
  evidence: string
  proposer: string
  proposedAt: Date
  expiresAt: Date
}

/** SQL: not decided, and not expired. */
const waitingSql = 'decision is null and expires_at > now()'

/** Ends that wait for a second operator, oldest first. */
export const proposedEnds = (db: Queryable): Promise<ProposedEnd[]> =>
  db.query<ProposedEnd>(
    `select e.id, outflow_id as "outflowId", status, evidence, a.email as proposer, proposed_at as "proposedAt", expires_at as "expiresAt"
     from outflow_ends e join accounts a on a.id = e.proposed_by where ${waitingSql} order by proposed_at, e.id`,
  )

/** For metrics: how many wait, and how long the oldest has. */
export async function waitingEnds(db: Queryable): Promise<{ count: number; seconds: number }> {
  const [row] = await db.query<{ count: number; seconds: number }>(
    `select count(*)::int as count, coalesce(extract(epoch from now() - min(proposed_at)), 0)::float8 as seconds
     from outflow_ends where ${waitingSql}`,
  )
  return row ?? { count: 0, seconds: 0 }
}
