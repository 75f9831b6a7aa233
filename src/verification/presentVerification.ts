import { dollarDecimals, formatUnits } from '../money/amount.ts'
import type { VerificationContext } from './context.ts'
import type { RequestKind, StoredRequest, StoredVerification } from './model.ts'

const pathOf: Record<RequestKind, string> = {
  verification: 'status',
  assessment: 'risk-assessments',
  decision: 'decisions',
}

export const statusUrl = (
  { verifyUrl }: Pick<VerificationContext, 'verifyUrl'>,
  { kind, id }: StoredRequest,
) => `${verifyUrl}/api/kyc/${pathOf[kind]}/${id}`

/** The answer to a request. */
export const presentRequested = (ctx: Pick<VerificationContext, 'verifyUrl'>, row: StoredRequest) => ({
  ...{ id: row.id, requestId: row.requestId, status: row.status },
  statusUrl: statusUrl(ctx, row),
  createdAt: row.createdAt.toISOString(),
})

/** What requests of every kind have, without personal data. */
export const presentRequest = (row: Omit<StoredRequest, 'dataKey'>) => ({
  ...{ id: row.id, requestId: row.requestId, status: row.status },
  ...(row.reasonCode !== null && { reasonCode: row.reasonCode, reason: row.reason ?? row.reasonCode }),
  price: formatUnits(BigInt(row.price), dollarDecimals),
  createdAt: row.createdAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
  erasedAt: row.erasedAt?.toISOString() ?? null,
})

/** A verification without personal data. */
export const presentStatus = (row: Omit<StoredVerification, 'dataKey'>) => ({
  ...presentRequest(row),
  country: row.country,
  idType: row.idType,
})

export const presentDecision = (ctx: Pick<VerificationContext, 'verifyUrl'>, row: StoredRequest) => ({
  ...{ ...presentRequest(row), decision: row.answer, statusUrl: statusUrl(ctx, row) },
})

export const presentAssessment = (ctx: Pick<VerificationContext, 'verifyUrl'>, row: StoredRequest) => ({
  ...{ ...presentRequest(row), riskLevel: row.answer, statusUrl: statusUrl(ctx, row) },
})
