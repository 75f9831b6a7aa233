import { dashboardTwin } from '../../api/contract.ts'
import type { Answered, Recipe } from './auditedRecipe.ts'
import { twinOf } from './auditedWebhooks.ts'
import { someCollection } from './sampleRequests.ts'
import type { Stack } from './stack.ts'

async function madeCollection(stack: Stack): Promise<string> {
  const { status, body } = await stack.api<Answered>('POST', '/fiat-collections', someCollection())
  if (status !== 201) throw new Error(`no collection: ${status}`)
  return body.id
}

const shared: Record<string, Recipe> = {
  createCollection: async ({ stack: { businessId } }) => {
    const { recipient: _, source: __, ...after } = someCollection()
    const entries = ({ id }: Answered) => [
      {
        action: 'collection.created',
        target: id,
        businessId,
        after: { ...after, walletAddress: expectedAddress },
      },
    ]
    return { path: '/fiat-collections', by: null, body: someCollection, entries }
  },
  cancelCollection: async ({ stack }) => {
    const target = await madeCollection(stack)
    const entries = () => [{ action: 'collection.cancelled', target, businessId: stack.businessId }]
    return { path: `/fiat-collections/${target}/cancel`, by: null, entries }
  },
  refreshCollection: async ({ stack }) => {
    const target = await madeCollection(stack)
    const entries = () => [{ action: 'collection.refreshed', target, businessId: stack.businessId }]
    return { path: `/fiat-collections/${target}/refresh-status`, by: null, entries }
  },
}

/** Operations on fiat collections: by API and in the dashboard. */
export const auditedCollections: Record<string, Recipe> = {
  ...shared,
  ...Object.fromEntries(
    Object.entries(shared).map(([operationId, recipe]) => [dashboardTwin(operationId), twinOf(recipe)]),
  ),
}

/** In its display form. */
const expectedAddress = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB'
