import type { Queryable } from '../platform/database/db.ts'
import { readBridgeTransfers } from './bridgeRow.ts'
import { presentBridge } from './presentBridge.ts'

/** The bridge transfers of approvals as the dashboard shows them, by id. */
export async function bridgeSubjects(
  { db }: { db: Queryable },
  businessId: string,
  approvals: readonly { subject: string; subjectId: string }[],
): Promise<Map<string, { bridge: object }>> {
  const ids = approvals.filter(({ subject }) => subject === 'bridge-burn').map(({ subjectId }) => subjectId)
  if (ids.length === 0) return new Map()
  const rows = await readBridgeTransfers(db, 'id = any($1::uuid[]) and business_id = $2', [ids, businessId])
  return new Map(
    rows.map((row) => {
      const { id, sourceChain, destinationChain, amount, sourceAddress, destinationAddress, status } =
        presentBridge(row)
      return [
        id,
        { bridge: { id, sourceChain, destinationChain, amount, sourceAddress, destinationAddress, status } },
      ]
    }),
  )
}
