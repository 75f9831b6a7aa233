import type { ModelDb } from '../platform/database/modelDb.ts'
import { type Created, createdWithin, findPage, type Page, type PageRequest } from '../platform/pages.ts'
import type { IntentStatus } from '../txmgr/intents.ts'
import { intentModel } from '../txmgr/model.ts'
import { presentSwap, type SwapStatus, type SwapView, shownStatus } from './presentSwap.ts'
import { readSwaps } from './storedSwap.ts'

export interface SwapFilter extends Created {
  chain?: string
  status?: readonly SwapStatus[]
}

const storedAs = (statuses: readonly SwapStatus[]) =>
  (Object.keys(shownStatus) as IntentStatus[]).filter((each) => statuses.includes(shownStatus[each]))

/** Swaps of the business by creation, the newest first by default. */
export async function listSwaps(
  ctx: { db: ModelDb },
  businessId: string,
  { chain, status, ...created }: SwapFilter,
  request: PageRequest,
): Promise<Page & { swaps: SwapView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const where = {
      businessId,
      purpose: 'swap',
      ...(chain !== undefined && { chain }),
      ...(status !== undefined && { status: storedAs(status) }),
      ...createdWithin(created),
    }
    const { rows, page } = await findPage(intentModel(ctx.db.sequelize), where, request, tx.transaction)
    const ids = rows.map(({ id }) => id)
    return { swaps: (await readSwaps(tx, businessId, ids)).map(presentSwap), ...page }
  })
}
