import type { Caller } from '../accounts/caller.ts'
import { refuseUnopened, type UnopenedContext } from '../chains/refuseUnopened.ts'
import type { Prover } from '../custody/proof.ts'
import { archiveDestination } from '../destinations/archiveDestination.ts'
import { type CreateDestinationContext, createDestination } from '../destinations/createDestination.ts'
import { auditedDestination, type DestinationView } from '../destinations/destination.ts'
import { getDestination } from '../destinations/getDestination.ts'
import { listDestinations } from '../destinations/listDestinations.ts'
import type { Routes } from '../http/routes.ts'
import type { OutflowEventContext } from '../outflows/outflowEvents.ts'
import type { ModelTx } from '../platform/database/modelDb.ts'
import { createOneByOne } from '../platform/database/oneByOne.ts'
import { splitQuery } from '../platform/pages.ts'
import type { Rates } from '../pricing/rates.ts'
import type { LimitsContext } from '../spendingLimits/requireWithinPayoutLimits.ts'
import { approvePayout } from './approvePayout.ts'
import { payoutBatchRoutes } from './batches/batchRoutes.ts'
import { cancelPayout } from './cancelPayout.ts'
import { confirmPayoutPrice } from './confirmPayoutPrice.ts'
import { createPayout, type PayoutCaller } from './createPayout.ts'
import { listPayouts } from './listPayouts.ts'
import { markPayoutPaid } from './markPayoutPaid.ts'
import type { PayoutView } from './presentPayout.ts'
import { findPayout, presentOne } from './readPayouts.ts'
import { storedDestination, storedPayout } from './storedAnswer.ts'

export type PayoutRoutesContext = Omit<CreateDestinationContext, 'prover'> &
  LimitsContext &
  OutflowEventContext &
  UnopenedContext & {
    /** Both null without a payout partner. */
    payoutRates: Rates | null
    paymentPartner: { name: string } | null
    txmgr: { prover: Prover }
    permissionsOfCaller(caller: Caller): string[]
  }

const shortOf = (view: DestinationView) =>
  ({ kind: 'payout_destination', body: storedDestination(view) }) as const
const shortPayout = (view: PayoutView) => ({ kind: 'payout', body: storedPayout(view) }) as const

/** Payouts and their destinations: by API and in the dashboard. */
export function payoutRoutes(given: PayoutRoutesContext): Routes {
  const ctx = {
    ...given,
    oneByOne: createOneByOne(),
    get prover() {
      return given.txmgr.prover
    },
  }
  const payerOf = (caller: Caller): PayoutCaller => {
    const { businessId, actor, apiKey, account } = caller
    return {
      businessId,
      actor,
      account,
      saves: ctx.permissionsOfCaller(caller).includes('payouts:destinations'),
      apiKeyId: apiKey?.id ?? null,
      keyRootId: apiKey?.rootId ?? null,
      accountId: apiKey ? null : (account?.id ?? null),
    }
  }
  return {
    ...payoutBatchRoutes(ctx, payerOf),
    async createPayout({ body, caller, remember }) {
      await refuseUnopened(ctx, body.destination.address, 'destination.address')
      const payout = await createPayout(ctx, payerOf(caller), body, (tx, view) =>
        remember(tx, { status: 201, body: view }, { after: auditedPayout(view) }, shortPayout(view)),
      )
      return { status: 201, body: payout }
    },
    async listPayouts({ query, caller }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listPayouts(ctx, caller.businessId, filter, request) }
    },
    getPayout: async ({ params, caller }) => ({
      status: 200,
      body: await presentOne(ctx, ctx.db, await findPayout(ctx.db, caller.businessId, params.id)),
    }),
    cancelPayout: async ({ params, caller, remember }) => ({
      status: 200,
      body: await cancelPayout(ctx, caller.businessId, params.id, (tx, view) =>
        remember(tx, { status: 200, body: view }, {}, shortPayout(view)),
      ),
    }),
    async approvePayout({
      params,
      body: { revision },
      caller: { businessId, actor, account, apiKey },
      remember,
    }) {
      const of = { businessId, id: params.id, accountId: apiKey ? null : (account?.id ?? null), revision }
      const payout = await approvePayout(ctx, actor, of, (tx, view) =>
        remember(tx, { status: 200, body: view }, { after: { revision } }, shortPayout(view)),
      )
      return { status: 200, body: payout }
    },
    async confirmPayoutPrice({ params, body: { revision }, caller: { businessId }, remember }) {
      const payout = await confirmPayoutPrice(ctx, { businessId, id: params.id, revision }, (tx, view) =>
        remember(tx, { status: 200, body: view }, { after: agreedPrice(view) }, shortPayout(view)),
      )
      return { status: 200, body: payout }
    },
    markPayoutPaid: async ({ params, body, caller, remember }) => ({
      status: 200,
      body: await markPayoutPaid(ctx, caller.businessId, params.id, body, (tx, view) =>
        remember(tx, { status: 200, body: view }, { after: { proof: body.proof } }, shortPayout(view)),
      ),
    }),
    async createPayoutDestination({ body, caller, remember }) {
      await refuseUnopened(ctx, body.address, 'address')
      const { businessId, apiKey, account } = caller
      const by = { apiKeyId: apiKey?.id ?? null, accountId: apiKey ? null : (account?.id ?? null) }
      const also = (tx: ModelTx, view: DestinationView) =>
        remember(tx, { status: 201, body: view }, { after: auditedDestination(view) }, shortOf(view))
      const destination = await createDestination(ctx, businessId, body, also, by)
      return { status: 201, body: destination }
    },
    async listPayoutDestinations({ query, caller }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listDestinations(ctx, caller.businessId, filter, request) }
    },
    getPayoutDestination: async ({ params, caller }) => ({
      status: 200,
      body: await getDestination(ctx, caller.businessId, params.id),
    }),
    archivePayoutDestination: async ({ params, caller, remember }) => ({
      status: 200,
      body: await archiveDestination(ctx, caller.businessId, params.id, (tx, view) =>
        remember(tx, { status: 200, body: view }, { before: auditedDestination(view) }, shortOf(view)),
      ),
    }),
  }
}

/** What was agreed to, in the audit log. */
const agreedPrice = ({ rate, fee, receiveAmount, receiveCurrency }: PayoutView) => ({
  rate,
  fee,
  receiveAmount,
  receiveCurrency,
})

/** The fields of a payout in the audit log. */
const auditedPayout = ({ amount, source, destination, receiveAmount, receiveCurrency }: PayoutView) => ({
  amount,
  ...source,
  destinationId: destination.id,
  receiveAmount,
  receiveCurrency,
})
