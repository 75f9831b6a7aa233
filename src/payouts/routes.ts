import type { Routes } from '../http/routes.ts'
import { splitQuery } from '../platform/pages.ts'
import { archiveDestination } from './archiveDestination.ts'
import { type CreateDestinationContext, createDestination } from './createDestination.ts'
import { auditedDestination, type DestinationView } from './destination.ts'
import { getDestination } from './getDestination.ts'
import { listDestinations } from './listDestinations.ts'
import { storedDestination } from './storedAnswer.ts'

export type PayoutRoutesContext = Omit<CreateDestinationContext, 'prover'> & { txmgr: Pick<CreateDestinationContext, 'prover'> }

const shortOf = (view: DestinationView) => ({ kind: 'payout_destination', body: storedDestination(view) }) as const

/** Payout destinations: by API and in the dashboard. */
export function payoutRoutes(given: PayoutRoutesContext): Routes {
  const ctx = { ...given, prover: given.txmgr.prover }
  return {
    async createPayoutDestination({ body, caller, remember }) {
      const destination = await createDestination(ctx, caller.businessId, body, (tx, view) =>
        remember(tx, { status: 201, body: view }, { after: auditedDestination(view) }, shortOf(view)),
      )
      return { status: 201, body: destination }
    },
    async listPayoutDestinations({ query, caller }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listDestinations(ctx, caller.businessId, filter, request) }
    },
    getPayoutDestination: async ({ params, caller }) => ({ status: 200, body: await getDestination(ctx, caller.businessId, params.id) }),
    archivePayoutDestination: async ({ params, caller, remember }) => ({
      status: 200,
      body: await archiveDestination(ctx, caller.businessId, params.id, (tx, view) =>
        remember(tx, { status: 200, body: view }, { before: auditedDestination(view) }, shortOf(view)),
      ),
    }),
  }
}
