import type { Db } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { RateLimiter } from '../rateLimits/rateLimiter.ts'
import type { ErasureLog } from './erasures/erasureLog.ts'
import type { RequestKind, VerificationStatus } from './model.ts'
import type { UploadOutcome } from './uploads/uploadMetrics.ts'
import type { UploadStore } from './uploads/uploadStore.ts'
import type { Verifier } from './verifier.ts'

/** What the process gives to operations. */
export interface VerificationContext {
  db: Db
  log: Log
  limiter: RateLimiter
  /** Null: no checks are made or accepted. */
  verifier: Verifier | null
  verifyKey: Secret
  /** The public URL of the verification host. */
  verifyUrl: string
  /** Null: uploads are not accepted. */
  uploads: UploadStore | null
  /** In the folder of uploads; null: a restored backup brings erased data back. */
  erasures: ErasureLog | null
  /** Of the uploads of a business that no verification has used. */
  unusedBytes: number
  observeUpload(outcome: UploadOutcome): void
  /** Counts the end of a request. */
  observeEnd(kind: RequestKind, status: VerificationStatus): void
}
