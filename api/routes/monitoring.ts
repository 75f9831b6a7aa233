import { type Chain, type ConfiguredChain, knownChain } from '../../src/chains/registry.ts'
import { countDaily } from '../../src/limits/dailyCaps.ts'
import { getAddition, listAdded, maxAtOnce, requestAddition } from '../../src/monitoring/additions.ts'
import { changeMonitored } from '../../src/monitoring/changeMonitored.ts'
import { getImport, listImports } from '../../src/monitoring/imports.ts'
import { getMonitored, listMonitored } from '../../src/monitoring/listMonitored.ts'
import { monitorAddresses } from '../../src/monitoring/monitorAddresses.ts'
import { answerMonitored, shortMonitored } from '../../src/monitoring/monitoredAnswer.ts'
import { removeMonitored } from '../../src/monitoring/removeMonitored.ts'
import { invalidBody } from '../../src/platform/errors.ts'
import { splitQuery } from '../../src/platform/pages.ts'
import type { ApiContext, Route } from '../context.ts'
import type { BodyOf, QueryOf } from '../types.ts'

/** Monitored addresses: by API and in the dashboard. */
export function monitoringRoutes(ctx: ApiContext): Record<string, Route> {
  const importing = {
    db: ctx.db,
    importBlocks: ctx.importBlocks,
    caps: ctx.caps,
    bulkCallsAtOnce: ctx.bulkCallsAtOnce,
    countImport: (businessId: string, blocks: number) => countDaily(ctx, businessId, 'importBlocksPerDay', { cost: blocks }),
  }
  /** @throws ApiError 400 naming `chain` */
  const chainOf = (name: string): ConfiguredChain => {
    const chain = ctx.chains.find((each) => each.name === name)
    if (!chain) throw invalidBody({ field: 'chain', message: `${name} is not available on this deployment` })
    return chain
  }
  /** A chain that was removed from the configuration may still have addresses. */
  const storedChainOf = (name: string): Chain => knownChain(name) ?? chainOf(name)
  return {
    async monitorAddress({ body, caller, remember }) {
      const { chain, address, metadata, ...options } = body as BodyOf<'monitorAddress'>
      const wanted = { chain: chainOf(chain), addresses: [{ address, ...(metadata && { metadata }) }], single: true, ...options }
      const answerOf = ({ entries: [entry], importId }: Awaited<ReturnType<typeof monitorAddresses>>) => {
        if (!entry) throw new Error('expected one entry for one address')
        return { status: entry.created ? 201 : 200, body: { ...entry.view, ...(importId && { importId }) } }
      }
      return answerOf(await monitorAddresses(importing, caller.businessId, wanted, (tx, result) => remember(tx, answerOf(result))))
    },
    async monitorAddresses({ body, caller, remember }) {
      const { chain, ...rest } = body as BodyOf<'monitorAddresses'>
      const wanted = { chain: chainOf(chain), ...rest }
      if (wanted.addresses.length > maxAtOnce) {
        const view = await requestAddition(importing, caller.businessId, wanted, (tx, shown) =>
          remember(tx, { status: 202, body: shown }, { after: { chain, additionId: shown.id, total: shown.total } }),
        )
        return { status: 202, body: view }
      }
      const done = await monitorAddresses(importing, caller.businessId, wanted, (tx, stored) => {
        const answer = answerMonitored(stored)
        const { addresses: _, ...counts } = answer
        const short = { kind: 'monitored_addresses', body: shortMonitored(answer) } as const
        return remember(tx, { status: 200, body: answer }, { after: { chain, ...counts } }, short)
      })
      return { status: 200, body: answerMonitored(done) }
    },
    getMonitoringAddition: async ({ params, caller }) => ({ status: 200, body: await getAddition(ctx, caller.businessId, params.id ?? '') }),
    async listAddedAddresses({ params, query, caller }) {
      const { page = 1, limit = 20 } = query as QueryOf<'listAddedAddresses'>
      return { status: 200, body: await listAdded(ctx, caller.businessId, params.id ?? '', { page, limit }) }
    },
    async removeMonitoredAddress({ body, caller, remember }) {
      const { chain, address } = body as BodyOf<'removeMonitoredAddress'>
      const success = await removeMonitored(ctx, caller.businessId, storedChainOf(chain), address, (tx, removed) =>
        remember(tx, { status: 200, body: { success: removed } }, { before: { chain, address }, after: { removed } }),
      )
      return { status: 200, body: { success } }
    },
    async listMonitoredAddresses({ query, caller }) {
      const { filter, request } = splitQuery(query as QueryOf<'listMonitoredAddresses'>)
      return { status: 200, body: await listMonitored(ctx, caller.businessId, filter, request) }
    },
    getMonitoredAddress: async ({ params, caller }) => ({ status: 200, body: await getMonitored(ctx, caller.businessId, params.id ?? '') }),
    async changeMonitoredAddress({ params, body, caller, remember }) {
      const change = body as BodyOf<'changeMonitoredAddress'>
      const view = await changeMonitored(ctx, caller.businessId, params.id ?? '', change, (tx, view, changes) =>
        remember(tx, { status: 200, body: view }, changes),
      )
      return { status: 200, body: view }
    },
    async listMonitoringImports({ query, caller }) {
      const { filter, request } = splitQuery(query as QueryOf<'listMonitoringImports'>)
      return { status: 200, body: await listImports(ctx, caller.businessId, filter, request) }
    },
    getMonitoringImport: async ({ params, caller }) => ({ status: 200, body: await getImport(ctx, caller.businessId, params.id ?? '') }),
  }
}
