import { confirmActor, recordAudit } from '../audit/recordAudit.ts'
import type { Routes } from '../http/routes.ts'
import { splitQuery } from '../platform/pages.ts'
import { countDaily, type DailyCapContext, doCounted, takeDaily } from '../rateLimits/dailyCaps.ts'
import { type CallbacksView, getCallbacks, rotateCallbackSecret, setCallbackHosts } from './callbacks.ts'
import { changeEndpoint } from './changeEndpoint.ts'
import { createEndpoint } from './createEndpoint.ts'
import type { EndpointTypesContext } from './endpoint.ts'
import { getDelivery } from './getDelivery.ts'
import { listDeliveries } from './listDeliveries.ts'
import { type EndpointView, getEndpoint, listEndpoints } from './listEndpoints.ts'
import { pauseEndpoint, resumeEndpoint } from './pauseEndpoint.ts'
import { removeEndpoint } from './removeEndpoint.ts'
import { replayDelivery, replayFailed } from './replayDelivery.ts'
import { rotateSecret } from './rotateSecret.ts'
import { sendTest } from './sendTest.ts'

export type WebhookRoutesContext = EndpointTypesContext & DailyCapContext

/** Webhook endpoints, deliveries and replays: by API and in the dashboard. */
export const webhookRoutes = (ctx: WebhookRoutesContext): Routes => ({
  ...endpointRoutes(ctx),
  ...callbackRoutes(ctx),
  ...deliveryRoutes(ctx),
})

const endpointRoutes = (ctx: EndpointTypesContext): Routes => ({
  listWebhookEndpoints: async ({ caller }) => ({
    status: 200,
    body: { endpoints: await listEndpoints(ctx, caller.businessId) },
  }),
  getWebhookEndpoint: async ({ params, caller }) => ({
    status: 200,
    body: await getEndpoint(ctx, caller.businessId, params.id),
  }),
  async createWebhookEndpoint({ body, caller, remember }) {
    const { endpoint, secret } = await createEndpoint(ctx, caller.businessId, body, (tx, created) =>
      remember(tx, { status: 201, body: created.endpoint }, { after: auditedOf(created.endpoint) }),
    )
    return { status: 201, body: { endpoint, secret: secret?.reveal() ?? null } }
  },
  async changeWebhookEndpoint({ body, params, caller, remember }) {
    const endpoint = await changeEndpoint(ctx, caller.businessId, params.id, body, (tx, { before, after }) =>
      remember(tx, { status: 200, body: after }, { before: auditedOf(before), after: auditedOf(after) }),
    )
    return { status: 200, body: endpoint }
  },
  async removeWebhookEndpoint({ params, caller, remember }) {
    const body = { success: true }
    await removeEndpoint(ctx, caller.businessId, params.id, (tx, before) =>
      remember(tx, { status: 200, body: { ...body, id: before.id } }, { before: auditedOf(before) }),
    )
    return { status: 200, body }
  },
  async rotateWebhookSecret({ body = {}, params, caller, remember }) {
    const { endpoint, secret } = await rotateSecret(ctx, caller.businessId, params.id, body, (tx, rotated) =>
      remember(
        tx,
        { status: 200, body: rotated.endpoint },
        { after: { signature: rotated.endpoint.signature, ownSecret: body.secret !== undefined } },
      ),
    )
    return { status: 200, body: { endpoint, secret: secret?.reveal() ?? null } }
  },
  async testWebhookEndpoint({ params, caller, remember }) {
    return {
      status: 202,
      body: await sendTest(ctx, caller.businessId, params.id, (tx, body) =>
        remember(tx, { status: 202, body }),
      ),
    }
  },
  async pauseWebhookEndpoint({ params, caller, remember }) {
    return {
      status: 200,
      body: await pauseEndpoint(ctx, caller.businessId, params.id, (tx, body) =>
        remember(tx, { status: 200, body }),
      ),
    }
  },
  async resumeWebhookEndpoint({ params, caller, remember }) {
    return {
      status: 200,
      body: await resumeEndpoint(ctx, caller.businessId, params.id, (tx, body) =>
        remember(tx, { status: 200, body }),
      ),
    }
  },
})

const deliveryRoutes = (ctx: WebhookRoutesContext): Routes => ({
  async listWebhooks({ query, caller }) {
    const { filter, request } = splitQuery(query)
    const { since, until, ...rest } = filter
    const times = { ...(since && { since: new Date(since) }), ...(until && { until: new Date(until) }) }
    return { status: 200, body: await listDeliveries(ctx, caller.businessId, { ...rest, ...times }, request) }
  },
  getWebhook: async ({ params, caller }) => ({
    status: 200,
    body: await getDelivery(ctx, caller.businessId, params.id),
  }),
  async replayWebhook({ params, caller, remember }) {
    const { businessId } = caller
    const body = await doCounted(await countDaily(ctx, businessId, 'replaysPerDay'), () =>
      replayDelivery(ctx, businessId, params.id, (tx, view) => remember(tx, { status: 202, body: view })),
    )
    return { status: 202, body }
  },
  async replayWebhooks({ body, caller, remember, goesOn }) {
    const { since, until, endpointId } = body
    const wanted = {
      since: new Date(since),
      ...(until && { until: new Date(until) }),
      ...(endpointId && { endpointId }),
    }
    const asked = { since, until: until ?? null, endpointId: endpointId ?? null }
    const { businessId } = caller
    const take = (deliveries: number) => takeDaily(ctx, businessId, 'replaysPerDay', deliveries)
    const replayed = await replayFailed({ db: ctx.db, take }, businessId, wanted, {
      goesOn,
      // Log the start at once: the audit entry must survive a later failure.
      begun: (tx) =>
        recordAudit(tx, caller.actor, {
          businessId,
          action: 'webhooks.replay_begun',
          target: null,
          after: asked,
        }),
      // A replay is long: stop it when the caller loses the right to it.
      piece: (tx) => confirmActor(tx, caller.actor),
      ended: (tx, answer) => remember(tx, { status: 202, body: answer }, { after: { ...asked, ...answer } }),
    })
    return { status: 202, body: replayed }
  },
})

const callbackRoutes = (ctx: EndpointTypesContext): Routes => ({
  getWebhookCallbacks: async ({ caller }) => ({
    status: 200,
    body: await getCallbacks(ctx.db, caller.businessId),
  }),
  async setWebhookCallbacks({ body, caller, remember }) {
    const { callbacks, secret } = await setCallbackHosts(
      ctx,
      caller.businessId,
      body.hosts,
      (tx, { before, after }) =>
        remember(
          tx,
          { status: 200, body: after },
          { before: { hosts: namesOf(before) }, after: { hosts: namesOf(after) } },
        ),
    )
    return { status: 200, body: { ...callbacks, secret: secret?.reveal() ?? null } }
  },
  async rotateCallbackSecret({ body = {}, caller, remember }) {
    const { callbacks, secret } = await rotateCallbackSecret(ctx, caller.businessId, body, (tx, rotated) =>
      remember(
        tx,
        { status: 200, body: rotated.callbacks },
        { after: { ownSecret: body.secret !== undefined } },
      ),
    )
    return { status: 200, body: { ...callbacks, secret: secret.reveal() } }
  },
})

const namesOf = ({ hosts }: CallbacksView): string[] => hosts.map(({ host }) => host)

/** The fields of an endpoint in the audit log. */
const auditedOf = ({
  url,
  description,
  eventTypes,
  chains,
  tokens,
  referencePrefix,
  signature,
  headerNames,
  maxPerSecond,
}: EndpointView) => ({
  url,
  description,
  eventTypes,
  chains,
  tokens,
  referencePrefix,
  signature,
  headerNames,
  maxPerSecond,
})
