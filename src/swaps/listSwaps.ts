import type { ModelDb } from '../platform/database/modelDb.ts'
import { findPage, type Page, type PageRequest } from '../platform/pages.ts'
import type { IntentStatus } from '../txmgr/intents.ts'
import { intentModel } from '../txmgr/model.ts'
import { presentSwap, type SwapStatus, type SwapView, shownStatus } from './presentSwap.ts'
import { readSwaps } from './storedSwap.ts'

export interface SwapFilter {
  chain?: string
  status?: SwapStatus
}

const storedAs = (status: SwapStatus) =>
  (Object.keys(shownStatus) as IntentStatus[]).filter((each) => shownStatus[each] === status)

/** Swaps of the business by creation, the newest first by default. */
export async function listSwaps(
  ctx: { db: ModelDb },
  businessId: string,
  { chain, status }: SwapFilter,
  request: PageRequest,
): Promise<Page & { swaps: SwapView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const where = {
      businessId,
      purpose: 'swap',
      ...(chain !== undefined && { chain }),
      ...(status !== undefined && { status: storedAs(status) }),
    }
    const { rows, page } = await findPage(intentModel(ctx.db.sequelize), where, request, tx.transaction)
    const ids = rows.map(({ id }) => id)
    return { swaps: (await readSwaps(tx, businessId, ids)).map(presentSwap), ...page }
  })
}
