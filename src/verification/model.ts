import type { KeyPrefix } from '../apiKeys/form.ts'

/** `publishable` keys are for browsers: they start verifications and read their status. */
export type KeyKind = 'secret' | 'publishable'

export const prefixOf: Record<KeyKind, KeyPrefix> = { secret: 'sk', publishable: 'pk' }

export interface VerificationKey {
  id: string
  name: string
  kind: KeyKind
  prefix: string
  /** Web sites that may use a publishable key in a browser. */
  origins: string[]
  createdAt: Date
  /** The creator's email address. */
  createdBy: string | null
  expiresAt: Date | null
  revokedAt: Date | null
  replacedBy: string | null
  lastUsedAt: Date | null
  lastUsedAddress: string | null
}

export const keyColumns = `k.id, k.name, k.kind, k.prefix, k.origins, k.created_at as "createdAt", a.email as "createdBy", k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", k.replaced_by as "replacedBy", k.last_used_at as "lastUsedAt",
  k.last_used_address as "lastUsedAddress"`

export const keysWithCreators = 'verification_keys k left join accounts a on a.id = k.created_by'

/** Requests of the area share their rows, queue, holds and sealed data. */
export const requestKinds = ['verification', 'assessment', 'decision'] as const
export type RequestKind = (typeof requestKinds)[number]

export const openStatuses = ['pending_credit', 'queued', 'processing'] as const
export const endedStatuses = ['completed', 'failed', 'not_found', 'error'] as const
export type VerificationStatus = (typeof openStatuses)[number] | (typeof endedStatuses)[number]

/**
 * The published list of reasons, with the text of each for people; it only grows. A verifier's own text may
 * name the person, and is not stored.
 */
export const reasons = {
  data_erased: 'Its data were erased before its end',
  document_expired: 'The document has expired',
  identity_not_found: 'No identity has this number',
  provider_unavailable: 'The check could not be made',
  selfie_mismatch: 'The selfie shows another person than the document',
}
export type ReasonCode = keyof typeof reasons

export const decisions = ['allow', 'review', 'deny'] as const
export const riskLevels = ['low', 'medium', 'high'] as const
/** What a decision or an assessment found. */
export type RequestAnswer = (typeof decisions)[number] | (typeof riskLevels)[number]

/** A request without personal data. */
export interface StoredRequest {
  id: string
  kind: RequestKind
  businessId: string
  requestId: string
  /** Of verifications alone, as `idType`. */
  country: string | null
  idType: string | null
  /** Millionths of a US dollar. */
  price: string
  status: VerificationStatus
  answer: RequestAnswer | null
  reasonCode: ReasonCode | null
  reason: string | null
  dataKey: Buffer | null
  createdAt: Date
  completedAt: Date | null
  erasedAt: Date | null
}

export interface StoredVerification extends StoredRequest {
  country: string
  idType: string
}

/** Without the key of its data, which only the process `verification` may read. */
export const shownColumns = `id, kind, business_id as "businessId", request_id as "requestId", country, id_type as "idType", price, status, answer,
  reason_code as "reasonCode", reason, created_at as "createdAt", completed_at as "completedAt", erased_at as "erasedAt"`

export const requestColumns = `${shownColumns}, data_key as "dataKey"`

/** The end of a request. `error`: nothing was found out, and nothing is charged. */
export type Outcome =
  /** `answer`: of decisions and assessments. */
  | { status: 'completed'; answer?: RequestAnswer }
  | { status: 'failed' | 'not_found' | 'error'; reasonCode: ReasonCode }
