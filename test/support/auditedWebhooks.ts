import { expect } from '@jest/globals'
import { dashboardTwin } from '../../api/contract.ts'
import type { Answered, Recipe } from './auditedRecipe.ts'
import { newPayer } from './payers.ts'
import type { Stack } from './stack.ts'
import { makeWebhookRecords } from './webhookRecords.ts'

const made = async (stack: Stack, path: string, body: object) => {
  const answer = await stack.api<Answered>('POST', path, body)
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}`)
  return answer.body
}

const newEndpoint = async (stack: Stack) =>
  (await made(stack, '/webhook-endpoints', { url: 'http://127.0.0.1:9/', eventTypes: ['endpoint.test'] }))
    .endpoint.id
const created = {
  url: 'http://127.0.0.1:9/',
  description: '',
  eventTypes: ['endpoint.test'],
  chains: null,
  tokens: null,
  referencePrefix: null,
  signature: 'hmac',
  headerNames: [],
  maxPerSecond: null,
}

/** A change of an endpoint whose entry names only the action. */
const toEndpoint =
  (
    verb: string,
    action: string,
    target: (endpointId: string, body: Answered) => string = (id) => id,
    after?: object,
  ): Recipe =>
  async ({ stack }) => {
    const id = await newEndpoint(stack)
    const entries = (body: Answered) => [
      {
        action: `webhooks.${action}`,
        target: target(id, body),
        businessId: stack.businessId,
        ...(after && { after }),
      },
    ]
    return { path: `/webhook-endpoints/${id}/${verb}`, by: null, entries }
  }

/** Operations on monitoring and webhooks that both contracts have. */
const shared: Record<string, Recipe> = {
  monitorAddress: async ({ stack: { businessId, chain } }) => {
    const { address } = newPayer(chain)
    const entries = ({ id }: Answered) => [{ action: 'monitoring.added', target: id, businessId }]
    return { path: '/monitoring/addresses', by: null, body: () => ({ chain, address }), entries }
  },
  monitorAddresses: async ({ stack: { businessId, chain } }) => {
    const { address } = newPayer(chain)
    const after = { chain, added: 1, existing: 0, importId: null }
    const entries = () => [{ action: 'monitoring.added_many', target: null, businessId, after }]
    return {
      path: '/monitoring/addresses/bulk',
      by: null,
      body: () => ({ chain, addresses: [{ address }] }),
      entries,
    }
  },
  removeMonitoredAddress: async ({ stack }) => {
    const { chain, businessId } = stack
    const { address } = newPayer(chain)
    await made(stack, '/monitoring/addresses', { chain, address })
    const entries = () => [
      {
        action: 'monitoring.removed',
        target: null,
        businessId,
        before: { chain, address },
        after: { removed: true },
      },
    ]
    return { path: '/monitoring/addresses/remove', by: null, body: () => ({ chain, address }), entries }
  },
  changeMonitoredAddress: async ({ stack }) => {
    const { chain, businessId } = stack
    const { id } = await made(stack, '/monitoring/addresses', { chain, address: newPayer(chain).address })
    const change = {
      before: { metadata: null, tokens: 'known' },
      after: { metadata: { order: 8 }, tokens: 'all' },
    }
    const entries = () => [{ action: 'monitoring.changed', target: id, businessId, ...change }]
    return { path: `/monitoring/addresses/${id}`, by: null, body: () => change.after, entries }
  },
  setWebhookCallbacks: async ({ stack }) => {
    const { businessId } = stack
    await stack.api('PUT', '/webhook-callbacks', { hosts: ['shop.example.com'] })
    const change = {
      before: { hosts: ['shop.example.com'] },
      after: { hosts: ['shop.example.com', 'shop.example.org'] },
    }
    const entries = () => [{ action: 'webhooks.callback_hosts_changed', target: null, businessId, ...change }]
    return { path: '/webhook-callbacks', by: null, body: () => change.after, entries }
  },
  rotateCallbackSecret: async ({ stack }) => {
    const { businessId } = stack
    await stack.api('PUT', '/webhook-callbacks', { hosts: ['shop.example.com'] })
    const entries = () => [
      {
        action: 'webhooks.callback_secret_rotated',
        target: null,
        businessId,
        after: { ownSecret: false },
      },
    ]
    return { path: '/webhook-callbacks/rotate-secret', by: null, entries }
  },
  setAmountLimits: async ({ stack }) => {
    const { businessId } = stack
    const after = { limits: [{ token: 'USDT', chain: null, min: '0.5', max: null }] }
    await stack.db.query("update businesses set amount_limits = '[]' where id = $1", [businessId])
    const entries = () => [
      { action: 'amount_limits.changed', target: null, businessId, before: { limits: [] }, after },
    ]
    const body = () => ({ limits: [{ token: 'USDT', min: '0.5' }] })
    return { path: '/settings/amount-limits', by: null, body, entries }
  },
  createWebhookEndpoint: async ({ stack: { businessId } }) => ({
    path: '/webhook-endpoints',
    by: null,
    body: () => ({ url: created.url, eventTypes: created.eventTypes }),
    entries: ({ endpoint }) => [
      { action: 'webhooks.endpoint_created', target: endpoint.id, businessId, after: created },
    ],
  }),
  changeWebhookEndpoint: async ({ stack }) => {
    const id = await newEndpoint(stack)
    const change = { before: created, after: { ...created, description: 'back office' } }
    const entries = () => [
      { action: 'webhooks.endpoint_changed', target: id, businessId: stack.businessId, ...change },
    ]
    return {
      path: `/webhook-endpoints/${id}`,
      by: null,
      body: () => ({ description: 'back office' }),
      entries,
    }
  },
  removeWebhookEndpoint: async ({ stack }) => {
    const id = await newEndpoint(stack)
    const entries = () => [
      { action: 'webhooks.endpoint_removed', target: id, businessId: stack.businessId, before: created },
    ]
    return { path: `/webhook-endpoints/${id}`, by: null, entries }
  },
  rotateWebhookSecret: toEndpoint('rotate-secret', 'secret_rotated', undefined, {
    signature: 'hmac',
    ownSecret: false,
  }),
  testWebhookEndpoint: toEndpoint('test', 'endpoint_tested', (_, { id }) => id),
  pauseWebhookEndpoint: toEndpoint('pause', 'endpoint_paused'),
  resumeWebhookEndpoint: toEndpoint('resume', 'endpoint_resumed'),
  replayWebhook: async ({ stack }) => {
    const { delivery } = await makeWebhookRecords(stack.db, stack.businessId)
    const entries = () => [{ action: 'webhooks.replayed', target: delivery, businessId: stack.businessId }]
    return { path: `/webhooks/${delivery}/replay`, by: null, entries }
  },
  replayWebhooks: async ({ stack: { businessId } }) => {
    const since = '2026-01-01T00:00:00Z'
    const asked = { since, until: null, endpointId: null }
    const entries = () => [
      { action: 'webhooks.replay_begun', target: null, businessId, after: asked },
      {
        action: 'webhooks.replayed_failed',
        target: null,
        businessId,
        after: { ...asked, replayed: expect.any(Number), more: false },
      },
    ]
    return { path: '/webhooks/replay', by: null, body: () => ({ since }), entries }
  },
}

/** The same by a person, in the dashboard. */
export const twinOf =
  (recipe: Recipe): Recipe =>
  async (given, own) => {
    const ready = await recipe(given, own)
    return {
      ...ready,
      path: `/businesses/${given.stack.businessId}${ready.path}`,
      by: given.owner,
      actor: given.ownerIs,
    }
  }

export const auditedWebhooks: Record<string, Recipe> = {
  ...shared,
  ...Object.fromEntries(
    Object.entries(shared).map(([operationId, recipe]) => [dashboardTwin(operationId), twinOf(recipe)]),
  ),
}
