import type { Queryable } from '../../platform/database/db.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { StreamPiece } from '../../platform/http/bodies.ts'
import { isUuid } from '../../platform/ids.ts'
import type { VerificationContext } from '../context.ts'
import { readVerification } from '../readVerification.ts'
import type { UploadType } from './inspect.ts'
import { openStream } from './sealStream.ts'
import { fileContext, openUploadKey } from './uploadKey.ts'

interface MediaView {
  id: string
  use: 'document' | 'selfie'
  type: UploadType
  bytes: number
}

/** The uploads of a verification. */
export const listMedia = (db: Queryable, verificationId: string): Promise<MediaView[]> =>
  db.query<MediaView>(
    'select id, use, type, bytes from verification_uploads where verification_id = $1 order by id',
    [verificationId],
  )

const endings: Record<UploadType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
}

/**
 * A file of a verification, opened as it is sent. @throws ApiError 404, also for another business's; 503
 * where uploads are not stored
 */
export async function readMedia(
  { db, uploads, verifyKey }: Pick<VerificationContext, 'db' | 'uploads' | 'verifyKey'>,
  businessId: string,
  verificationId: string,
  mediaId: string,
): Promise<{ name: string; type: UploadType; pieces: AsyncGenerator<StreamPiece, void, undefined> }> {
  const { id: known } = await readVerification(db, businessId, verificationId)
  const [media] = isUuid(mediaId)
    ? await db.query<{ id: string; type: UploadType; dataKey: Buffer }>(
        'select id, type, data_key as "dataKey" from verification_uploads where verification_id = $1 and id = $2',
        [known, mediaId],
      )
    : []
  if (!media) throw notFound('Media')
  if (!uploads)
    throw new ApiError(503, 'unavailable', 'This deployment stores no uploads', { retryAfterSeconds: 60 })
  const { id, type, dataKey } = media
  // It is erased right now, or its volume was lost.
  if (!(await uploads.has(id))) throw notFound('Media')
  const plain = openStream(openUploadKey(verifyKey, id, dataKey), uploads.read(id), fileContext(id))
  return { name: `${id}.${endings[type]}`, type, pieces: piecesOf(plain) }
}

async function* piecesOf(plain: AsyncIterable<Buffer>): AsyncGenerator<StreamPiece, void, undefined> {
  for await (const bytes of plain) yield { body: undefined, text: bytes }
}
