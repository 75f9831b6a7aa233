import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import { ApiError, messageOf } from '../../platform/errors.ts'
import type { Upload } from '../../platform/http/bodies.ts'
import { newId } from '../../platform/ids.ts'
import type { VerificationContext } from '../context.ts'
import { dropFiles } from './dropFiles.ts'
import { readFilePart } from './filePart.ts'
import { givenBack } from './givenBack.ts'
import { type Inspection, inspect, type UploadType } from './inspect.ts'
import { lockQuota, requireQuota } from './quota.ts'
import { framesOf, sealStream } from './sealStream.ts'
import { fileContext, newUploadKey } from './uploadKey.ts'
import { noRoom } from './uploadStore.ts'

interface UploadView {
  id: string
  type: UploadType
  bytes: number
}

/** The largest file (25 MB, in the specification). */
const maxBytes = 26_214_400
/** Room that the volume keeps: for uploads under way, and so that erasures and other programs go on. */
const minFreeBytes = 2 ** 30
/** No upload takes as long. */
const arriveMinutes = 60

type Context = Pick<
  VerificationContext,
  'db' | 'log' | 'observeUpload' | 'unusedBytes' | 'uploads' | 'verifyKey'
>

/**
 * Stores a file of a multipart body, sealed as it arrives.
 * @throws ApiError 400 `File too large (max 25MB)`, `Unsupported file type`, or for a body without one file;
 * 429 if unused uploads of the business fill
 *   its quota; 503 where uploads are not stored, or have no room. Nothing is stored then.
 */
export async function receiveUpload(
  ctx: Context,
  caller: { businessId: string; actor: Actor },
  upload: Upload,
): Promise<UploadView> {
  try {
    const view = await receive(ctx, caller, upload)
    ctx.observeUpload('stored')
    return view
  } catch (error) {
    ctx.observeUpload(error instanceof ApiError && error.status < 500 ? 'refused' : 'failed')
    throw error
  }
}

async function receive(
  ctx: Context,
  { businessId, actor }: { businessId: string; actor: Actor },
  upload: Upload,
): Promise<UploadView> {
  const { db, uploads, unusedBytes, verifyKey } = ctx
  if (!uploads)
    throw new ApiError(503, 'unavailable', 'This deployment stores no uploads', { retryAfterSeconds: 60 })
  if ((await uploads.freeBytes().catch(() => 0)) < minFreeBytes) throw noRoom()
  await requireQuota(db, businessId, unusedBytes, 1)
  const id = newId()
  const { key, sealed } = newUploadKey(verifyKey, id)
  const inspection = inspect()
  const file = { bytes: 0 }
  // Before the file: it is found after a crash.
  await db.query(
    "insert into verification_stray_files (id, drop_after) values ($1, now() + $2 * interval '1 minute')",
    [id, arriveMinutes],
  )
  try {
    await readFilePart(upload, maxBytes, (part) =>
      uploads.put(id, sealStream(key, taken(part, inspection, file), fileContext(id))),
    )
    const type = inspection.type()
    if (type === null) throw new Error('an upload without a type was stored')
    const { bytes } = file
    await db.tx(async (tx) => {
      await lockQuota(tx, businessId)
      await requireQuota(tx, businessId, unusedBytes, bytes)
      const own = await tx.query('delete from verification_stray_files where id = $1 returning id', [id])
      if (own.length === 0) throw new ApiError(400, 'Invalid request body', 'The body arrived too slowly')
      await tx.query(
        'insert into verification_uploads (id, business_id, type, bytes, data_key) values ($1, $2, $3, $4, $5)',
        [...[id, businessId, type, bytes, sealed]],
      )
      await recordAudit(tx, actor, {
        businessId,
        action: 'verification.uploaded',
        target: id,
        after: { type, bytes },
      })
    })
    return { id, type, bytes }
  } catch (error) {
    // Keeps the file of a transaction that was committed without an answer: its row is gone. Without the
    // database it is dropped later.
    await dropFiles(ctx, [id]).catch((cause: unknown) =>
      ctx.log.warn({ upload: id, err: messageOf(cause) }, 'a refused upload is dropped later'),
    )
    throw error
  }
}

/**
 * The bytes to store. A file of the wrong type is read to its end without storing it: a client that is still
 * sending would miss the answer.
 * @throws ApiError 400 `Unsupported file type`, before the file gets its name
 */
async function* taken(
  part: AsyncIterable<Uint8Array>,
  inspection: Inspection,
  file: { bytes: number },
): AsyncGenerator<Buffer> {
  for await (const { frame } of framesOf(givenBack(part))) {
    const kept = inspection.push(frame)
    file.bytes += kept.length
    yield kept
  }
  if (inspection.type() === null)
    throw new ApiError(400, 'Unsupported file type', 'Send a JPEG, PNG, WebP or PDF file')
}
