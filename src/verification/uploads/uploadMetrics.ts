import type { Db } from '../../platform/database/db.ts'
import { type Metrics, shared } from '../../platform/telemetry/metrics.ts'
import type { UploadStore } from './uploadStore.ts'

/** `refused`: the caller's mistake; `failed`: the server's. */
export type UploadOutcome = 'stored' | 'refused' | 'failed'

/** Metrics of uploads and their volume. @returns counts the outcome of an upload */
export function createUploadMetrics(
  metrics: Metrics,
  { db, uploads }: { db: Db; uploads: UploadStore | null },
): (outcome: UploadOutcome) => void {
  const read = shared(async () => {
    const [row] = await db.query<{ unused: string; overdue: string }>(
      `select (select coalesce(sum(bytes), 0) from verification_uploads where verification_id is null)::text as unused,
              (select count(*) from verification_stray_files where drop_after < now() - interval '1 hour')::text as overdue`,
    )
    return { unused: Number(row?.unused), overdue: Number(row?.overdue) }
  })
  metrics.collected(
    'verification_uploads_unused_bytes',
    'Bytes of uploads that no verification has used',
    [],
    async (gauge) => gauge.set((await read()).unused),
  )
  metrics.collected(
    'verification_files_overdue',
    'Files that should have been dropped an hour ago',
    [],
    async (gauge) => gauge.set((await read()).overdue),
  )
  // Without a volume nothing is free, and nothing is missing.
  if (uploads)
    metrics.collected(
      'verification_uploads_free_bytes',
      'Free bytes of the volume of uploads',
      [],
      async (gauge) => gauge.set(await uploads.freeBytes()),
    )
  const ended = metrics.counter('verification_uploads_total', 'Uploads that ended', ['outcome'])
  for (const outcome of ['stored', 'refused', 'failed']) ended.inc({ outcome }, 0)
  return (outcome) => ended.inc({ outcome })
}
