import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { type DeadRow, replayDead } from '../platform/database/outbox.ts'
import { notFound } from '../platform/errors.ts'
import {
  type Created,
  countSql,
  createdSql,
  decodeNumber,
  idOfNumber,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import { jobSubjects } from './jobSubjects.ts'

type Row = DeadRow & { deadAt: Date }

/** Jobs that were given up, by when they were made. @throws ApiError 400 naming `cursor` */
export async function listDeadJobs(
  { db }: { db: Queryable },
  { queue, since, until }: Created & { queue?: string },
  request: PageRequest,
) {
  const { page, limit, sort, cursor } = request
  const after = cursor === undefined ? null : decodeNumber(cursor)
  const where = `dead_at is not null and ($1::text is null or queue = $1)${createdSql('created_at', null, 2)}`
  const values = [queue ?? null, since ?? null, until ?? null]
  const [[counted], rows] = await Promise.all([
    db.query<{ n: number }>(countSql(`from outbox where ${where}`), values),
    db.query<Row>(
      `select id::text, queue, payload, last_error as error, created_at as "createdAt", dead_at as "deadAt" from outbox
       where ${where} and ($4::bigint is null or id ${sort === 'ASC' ? '>' : '<'} $4) order by outbox.id ${sort} limit $5 offset $6`,
      [...values, after, limit, after === null ? (page - 1) * limit : 0],
    ),
  ])
  const subjects = await jobSubjects(db, rows)
  return {
    jobs: rows.map(({ id, queue: of, error, createdAt, deadAt }) => ({
      id,
      queue: of,
      reason: error,
      createdAt: createdAt.toISOString(),
      deadAt: deadAt.toISOString(),
      subject: subjects.get(id) ?? null,
    })),
    ...pageOf(
      rows.map(({ id }) => ({ id: idOfNumber(id) })),
      request,
      counted?.n ?? 0,
    ),
  }
}

/**
 * Gives one dead job all its tries again. What it did before it failed is not done twice: handlers read the
 * row that the job names. @throws ApiError 404 where no dead job has this id
 */
export async function replayDeadJob({ db }: { db: Db }, actor: Actor, id: string): Promise<number> {
  // An id of the outbox; another text names none.
  if (!/^[0-9]{1,18}$/.test(id)) throw notFound('dead job')
  return db.tx(async (tx) => {
    const [replayed] = await replayDead(tx, { id })
    if (!replayed) throw notFound('dead job')
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'job.replayed',
      target: id,
      after: { queue: replayed[0] },
    })
    return replayed[1]
  })
}

/** The same for all dead jobs of a queue. @returns how many */
export async function replayDeadJobs({ db }: { db: Db }, actor: Actor, queue: string): Promise<number> {
  return db.tx(async (tx) => {
    const jobs = (await replayDead(tx, { queue })).get(queue) ?? 0
    if (jobs > 0)
      await recordAudit(tx, actor, {
        businessId: null,
        action: 'jobs.replayed',
        target: queue,
        after: { jobs },
      })
    return jobs
  })
}
