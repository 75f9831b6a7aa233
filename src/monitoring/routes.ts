import type { ChainAccounts } from '../chains/chainAccounts.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { requireChain, requireStoredChain } from '../chains/requireChain.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import { countDaily, type DailyCapContext } from '../rateLimits/dailyCaps.ts'
import { getAddition, listAdded, maxAtOnce, requestAddition } from './additions.ts'
import { changeMonitored } from './changeMonitored.ts'
import { getImport, listImports } from './imports.ts'
import { getMonitored, listMonitored } from './listMonitored.ts'
import { monitorAddresses } from './monitorAddresses.ts'
import { answerMonitored, shortMonitored } from './monitoredAnswer.ts'
import { openingBalance } from './openingBalance.ts'
import { removeMonitored } from './removeMonitored.ts'
import type { MonitoredAddressView } from './view.ts'

export interface MonitoringRoutesContext extends DailyCapContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  /** Reads balances on a configured chain. */
  accounts(chain: string): Promise<ChainAccounts>
  /** How many blocks back monitoring of an address may start. */
  importBlocks: number
  /** Concurrent bulk calls of one business. */
  bulkCallsAtOnce: number
}

/** Monitored addresses: by API and in the dashboard. */
export function monitoringRoutes(ctx: MonitoringRoutesContext): Routes {
  const importing = {
    db: ctx.db,
    importBlocks: ctx.importBlocks,
    caps: ctx.caps,
    bulkCallsAtOnce: ctx.bulkCallsAtOnce,
    countImport: (businessId: string, blocks: number) =>
      countDaily(ctx, businessId, 'importBlocksPerDay', { cost: blocks }),
  }
  return {
    async monitorAddress({ body, caller, remember }) {
      const { chain, address, metadata, ...options } = body
      const wanted = {
        chain: requireChain(ctx, chain),
        addresses: [{ address, ...(metadata && { metadata }) }],
        single: true,
        ...options,
      }
      const answerOf = ({ entries: [entry], importId }: Awaited<ReturnType<typeof monitorAddresses>>) => {
        if (!entry) throw new Error('expected one entry for one address')
        return { status: entry.created ? 201 : 200, body: { ...entry.view, ...(importId && { importId }) } }
      }
      return answerOf(
        await monitorAddresses(importing, caller.businessId, wanted, (tx, result) =>
          remember(tx, answerOf(result)),
        ),
      )
    },
    async monitorAddresses({ body, caller, remember }) {
      const { chain, ...rest } = body
      const wanted = { chain: requireChain(ctx, chain), ...rest }
      if (wanted.addresses.length > maxAtOnce) {
        const view = await requestAddition(importing, caller.businessId, wanted, (tx, shown) =>
          remember(
            tx,
            { status: 202, body: shown },
            { after: { chain, additionId: shown.id, total: shown.total } },
          ),
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
    getMonitoringAddition: async ({ params, caller }) => ({
      status: 200,
      body: await getAddition(ctx, caller.businessId, params.id),
    }),
    async listAddedAddresses({ params, query, caller }) {
      const { request } = splitQuery(query)
      return { status: 200, body: await listAdded(ctx, caller.businessId, params.id, request) }
    },
    async removeMonitoredAddress({ body, caller, remember }) {
      const { chain, address } = body
      const success = await removeMonitored(
        ctx,
        caller.businessId,
        requireStoredChain(ctx, chain),
        address,
        (tx, removed) =>
          remember(
            tx,
            { status: 200, body: { success: removed } },
            { before: { chain, address }, after: { removed } },
          ),
      )
      return { status: 200, body: { success } }
    },
    async listMonitoredAddresses({ query, caller }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listMonitored(ctx, caller.businessId, filter, request) }
    },
    getMonitoredAddress: async ({ params, caller }) => ({
      status: 200,
      body: await getMonitored(ctx, caller.businessId, params.id),
    }),
    getOpeningBalance: async ({ params, caller }) => ({
      status: 200,
      body: await openingBalance(ctx, caller.businessId, params.id),
    }),
    async changeMonitoredAddress({ params, body, caller, remember }) {
      const change = body
      const view = await changeMonitored(ctx, caller.businessId, params.id, change, (tx, { before, after }) =>
        remember(tx, { status: 200, body: after }, { before: auditedOf(before), after: auditedOf(after) }),
      )
      return { status: 200, body: view }
    },
    async listMonitoringImports({ query, caller }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listImports(ctx, caller.businessId, filter, request) }
    },
    getMonitoringImport: async ({ params, caller }) => ({
      status: 200,
      body: await getImport(ctx, caller.businessId, params.id),
    }),
  }
}

/** The fields of an address in the audit log that a change may set. */
const auditedOf = ({ metadata, tokens }: MonitoredAddressView) => ({ metadata, tokens })
