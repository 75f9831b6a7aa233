import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import type { Upload } from '../../platform/bodies.ts'
import { ApiError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { VerificationContext } from '../context.ts'
import { readFilePart } from './filePart.ts'
import { inspect, type UploadType } from './inspect.ts'
import { sealStream } from './sealStream.ts'
import { fileContext, newUploadKey } from './uploadKey.ts'

interface UploadView {
  id: string
  type: UploadType
  bytes: number
}

/** The largest file (25 MB, in the specification). */
const maxBytes = 26_214_400

/**
 * Stores a file of a multipart body, sealed as it arrives.
 * @throws ApiError 400 `File too large (max 25MB)`, `Unsupported file type`, or for a body without one file; 503 where uploads are not stored. Nothing
 *   is stored then.
 */
export async function receiveUpload(
  { db, uploads, verifyKey }: Pick<VerificationContext, 'db' | 'uploads' | 'verifyKey'>,
  { businessId, actor }: { businessId: string; actor: Actor },
  upload: Upload,
): Promise<UploadView> {
  if (!uploads) throw new ApiError(503, 'unavailable', 'This deployment stores no uploads', { retryAfterSeconds: 60 })
  const id = newId()
  const { key, sealed } = newUploadKey(verifyKey, id)
  const inspection = inspect()
  let bytes = 0
  async function* inspected(file: AsyncIterable<Uint8Array>) {
    for await (const piece of file) {
      bytes += piece.length
      inspection.push(piece)
      yield piece
    }
    // Before the file gets its name.
    if (inspection.type() === null) throw new ApiError(400, 'Unsupported file type', 'Send a JPEG, PNG, WebP or PDF file')
  }
  await readFilePart(upload, maxBytes, (file) => uploads.put(id, sealStream(key, inspected(file), fileContext(id))))
  const type = inspection.type()
  if (type === null) throw new Error('an upload without a type was stored')
  await db.tx(async (tx) => {
    await tx.query('insert into verification_uploads (id, business_id, type, bytes, data_key) values ($1, $2, $3, $4, $5)', [
      ...[id, businessId, type, bytes, sealed],
    ])
    await recordAudit(tx, actor, { businessId, action: 'verification.uploaded', target: id, after: { type, bytes } })
  })
  return { id, type, bytes }
}
