import type { Queryable } from '../platform/database/db.ts'
import { isUuid } from '../platform/ids.ts'

/** What a job is about: a field of its payload, with the business that it belongs to where that is known. */
export interface JobSubject {
  kind: string
  id: string
  businessId: string | null
  businessName: string | null
}

/** `sessionId` as the kind `session`. A list of ids stands for its first. */
export function subjectOf(payload: object): { kind: string; id: string } | null {
  const fields = Object.entries(payload).flatMap(([name, value]) => {
    const id = Array.isArray(value) ? value[0] : value
    const kind = /^(.+?)Ids?$/.exec(name)?.[1]
    return kind !== undefined && typeof id === 'string' ? [{ kind, id }] : []
  })
  return fields.find(({ kind }) => kind !== 'business') ?? fields[0] ?? null
}

/** The platform's operator sees jobs of all businesses. */
const selectOwners = `
  select id, business_id as "businessId" from pos_sessions where id = any($1::uuid[])
  union all select id, business_id from detections where id = any($1::uuid[])`

/** What jobs are about, by the job's id. */
export async function jobSubjects(
  db: Queryable,
  jobs: readonly { id: string; payload: object }[],
): Promise<Map<string, JobSubject>> {
  const about = jobs.flatMap(({ id: job, payload }) => {
    const subject = subjectOf(payload)
    return subject ? [{ job, ...subject, named: businessIn(payload) }] : []
  })
  const owners = new Map(
    (
      await db.query<{ id: string; businessId: string | null }>(selectOwners, [
        about.map(({ id }) => id).filter(isUuid),
      ])
    ).map(({ id, businessId }) => [id, businessId]),
  )
  const owned = about.map(({ job, kind, id, named }) => ({
    job,
    kind,
    id,
    businessId: named ?? owners.get(id) ?? null,
  }))
  const names = new Map(
    (
      await db.query<{ id: string; name: string }>(
        'select id, name from businesses where id = any($1::uuid[])',
        [owned.flatMap(({ businessId }) => businessId ?? [])],
      )
    ).map(({ id, name }) => [id, name]),
  )
  return new Map(
    owned.map(({ job, kind, id, businessId }) => [
      job,
      { kind, id, businessId, businessName: names.get(businessId ?? '') ?? null },
    ]),
  )
}

function businessIn(payload: object): string | null {
  const { businessId } = payload as { businessId?: unknown }
  return typeof businessId === 'string' && isUuid(businessId) ? businessId : null
}
