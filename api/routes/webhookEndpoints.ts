import { changeEndpoint } from '../../src/webhooks/changeEndpoint.ts'
import { createEndpoint } from '../../src/webhooks/createEndpoint.ts'
import { type EndpointView, getEndpoint, listEndpoints } from '../../src/webhooks/listEndpoints.ts'
import { pauseEndpoint, resumeEndpoint } from '../../src/webhooks/pauseEndpoint.ts'
import { removeEndpoint } from '../../src/webhooks/removeEndpoint.ts'
import { rotateSecret } from '../../src/webhooks/rotateSecret.ts'
import { sendTest } from '../../src/webhooks/sendTest.ts'
import type { ApiContext, ApiRequest, Route } from '../context.ts'
import type { BodyOf } from '../types.ts'

/** Webhook endpoints: by API and in the dashboard. */
export function webhookEndpointRoutes(ctx: ApiContext): Record<string, Route> {
  const idOf = ({ params }: ApiRequest) => params.id ?? ''
  return {
    listWebhookEndpoints: async ({ caller }) => ({ status: 200, body: { endpoints: await listEndpoints(ctx, caller.businessId) } }),
    getWebhookEndpoint: async (request) => ({ status: 200, body: await getEndpoint(ctx, request.caller.businessId, idOf(request)) }),
    async createWebhookEndpoint({ body, caller, remember }) {
      const { endpoint, secret } = await createEndpoint(ctx, caller.businessId, body as BodyOf<'createWebhookEndpoint'>, (tx, created) =>
        remember(tx, { status: 201, body: created.endpoint }, { after: auditedOf(created.endpoint) }),
      )
      return { status: 201, body: { endpoint, secret: secret?.reveal() ?? null } }
    },
    async changeWebhookEndpoint(request) {
      const { body, caller, remember } = request
      const change = body as BodyOf<'changeWebhookEndpoint'>
      const endpoint = await changeEndpoint(ctx, caller.businessId, idOf(request), change, (tx, { before, after }) =>
        remember(tx, { status: 200, body: after }, { before: auditedOf(before), after: auditedOf(after) }),
      )
      return { status: 200, body: endpoint }
    },
    async removeWebhookEndpoint(request) {
      const { caller, remember } = request
      const body = { success: true }
      await removeEndpoint(ctx, caller.businessId, idOf(request), (tx, before) =>
        remember(tx, { status: 200, body: { ...body, id: before.id } }, { before: auditedOf(before) }),
      )
      return { status: 200, body }
    },
    async rotateWebhookSecret(request) {
      const { caller, remember } = request
      const { endpoint, secret } = await rotateSecret(ctx, caller.businessId, idOf(request), {}, (tx, rotated) =>
        remember(tx, { status: 200, body: rotated.endpoint }),
      )
      return { status: 200, body: { endpoint, secret: secret?.reveal() ?? null } }
    },
    async testWebhookEndpoint(request) {
      const { caller, remember } = request
      return { status: 202, body: await sendTest(ctx, caller.businessId, idOf(request), (tx, body) => remember(tx, { status: 202, body })) }
    },
    async pauseWebhookEndpoint(request) {
      const { caller, remember } = request
      return { status: 200, body: await pauseEndpoint(ctx, caller.businessId, idOf(request), (tx, body) => remember(tx, { status: 200, body })) }
    },
    async resumeWebhookEndpoint(request) {
      const { caller, remember } = request
      return { status: 200, body: await resumeEndpoint(ctx, caller.businessId, idOf(request), (tx, body) => remember(tx, { status: 200, body })) }
    },
  }
}

/** The fields of an endpoint in the audit log. */
const auditedOf = ({ url, description, eventTypes, signature }: EndpointView) => ({ url, description, eventTypes, signature })
