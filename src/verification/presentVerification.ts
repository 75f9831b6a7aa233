import { formatUnits } from '../chains/amount.ts'
import { dollarDecimals } from '../ledger/entry.ts'
import type { VerificationContext } from './context.ts'
import type { StoredVerification } from './model.ts'

const statusUrl = ({ verifyUrl }: Pick<VerificationContext, 'verifyUrl'>, id: string) => `${verifyUrl}/api/kyc/status/${id}`

/** The answer to a request. */
export const presentRequested = (ctx: Pick<VerificationContext, 'verifyUrl'>, { id, requestId, status, createdAt }: StoredVerification) => ({
  id,
  requestId,
  status,
  statusUrl: statusUrl(ctx, id),
  createdAt: createdAt.toISOString(),
})

/** A verification without personal data. */
export const presentStatus = (row: StoredVerification) => ({
  ...{ id: row.id, requestId: row.requestId, status: row.status, country: row.country, idType: row.idType },
  ...(row.reasonCode !== null && { reasonCode: row.reasonCode, reason: row.reason ?? row.reasonCode }),
  price: formatUnits(BigInt(row.price), dollarDecimals),
  createdAt: row.createdAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
  erasedAt: row.erasedAt?.toISOString() ?? null,
})
