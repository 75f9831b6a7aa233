import { expect, test } from '@jest/globals'
import type { Routes } from '../src/http/routes.ts'
import type { VerificationContext } from '../src/verification/context.ts'
import { verificationRoutes } from '../src/verification/routes.ts'
import type { ApiContext } from './context.ts'
import { loadContract, loadDashboardContract, loadVerificationContract } from './contract.ts'
import { dashboardTable, loadRoutes, publicTable } from './routes.ts'
import { requireHandlers, routeTable } from './routeTable.ts'

// Handlers read the context when they run, not when they are listed.
const ctx = {} as ApiContext
const loaded = await loadRoutes()
const handler = async () => ({ status: 200, body: {} })
const capability = (name: string, routes: Routes) => ({ name, routes: () => routes })

test('every operation of each contract has exactly one handler, and every handler an operation', () => {
  const api = publicTable(ctx, loaded)
  const dashboard = dashboardTable(ctx, loaded)
  requireHandlers(loadContract(), api)
  requireHandlers(loadDashboardContract(), dashboard)
  requireHandlers(
    loadVerificationContract(),
    routeTable({} as VerificationContext, [{ name: 'verification', routes: verificationRoutes }]),
  )
  expect(api.size).toBeGreaterThan(40)
  expect(dashboard.size).toBeGreaterThan(api.size)
})

test('an operation without a handler, and a handler without an operation, are refused by name', () => {
  const contract = loadContract()
  const all = publicTable(ctx, loaded)
  const without = new Map([...all].filter(([operationId]) => operationId !== 'getSession'))
  expect(() => requireHandlers(contract, without)).toThrow('operation getSession has no handler')
  expect(() => requireHandlers(contract, new Map([...all, ['getNothing', handler]]))).toThrow(
    'no operation getNothing, which has a handler',
  )
})

test('two capabilities with the same operation are refused with both names', () => {
  const capabilities = [
    capability('sessions', { getSession: handler }),
    capability('wallets', { getWallet: handler, getSession: handler }),
  ]
  expect(() => routeTable(ctx, capabilities)).toThrow(
    'getSession has two handlers: of sessions and of wallets',
  )
})
