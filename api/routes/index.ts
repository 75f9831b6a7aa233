import type { ApiContext, Route } from '../context.ts'
import type { Contract } from '../contract.ts'
import { getMeRoute, loginRoute } from './auth.ts'
import { readBalanceRoute } from './balance.ts'
import { cancelSessionRoute } from './cancelSession.ts'
import { createSessionRoute } from './createSession.ts'
import { explainTransactionRoute } from './explainTransaction.ts'
import { getFinalityRoute, setFinalityRoute } from './finality.ts'
import { getSessionRoute } from './getSession.ts'
import { listBanksRoute } from './listBanks.ts'
import { listAllNetworksRoute, listNetworksRoute } from './listNetworks.ts'
import { listSessionsRoute } from './listSessions.ts'
import { monitoringRoutes } from './monitoring.ts'
import { quoteSessionRoute } from './quoteSession.ts'
import {
  createTransferRoute,
  estimateTransferRoute,
  getTransferRoute,
  listTransfersRoute,
  prepareTransferRoute,
  sendFromWalletRoute,
  submitTransferRoute,
} from './transfers.ts'
import { archiveWalletRoute, generateWalletRoute, getWalletRoute, listWalletsRoute, renameWalletRoute, storeWalletRoute } from './wallets.ts'
import { webhookEndpointRoutes } from './webhookEndpoints.ts'
import { webhookRoutes } from './webhooks.ts'

/** The handler of each operation of the contract. */
export function routes(ctx: ApiContext, contract: Contract): Record<string, Route> {
  return {
    login: loginRoute(ctx) as Route,
    getMe: getMeRoute(contract),
    createSession: createSessionRoute(ctx) as Route,
    listSessions: listSessionsRoute(ctx) as Route,
    getSession: getSessionRoute(ctx),
    cancelSession: cancelSessionRoute(ctx),
    quoteSession: quoteSessionRoute(ctx) as Route,
    listAllNetworks: listAllNetworksRoute(ctx),
    listNetworks: listNetworksRoute(ctx) as Route,
    listBanks: listBanksRoute(ctx) as Route,
    explainTransaction: explainTransactionRoute(ctx),
    getFinality: getFinalityRoute(ctx),
    setFinality: setFinalityRoute(ctx) as Route,
    generateWallet: generateWalletRoute() as Route,
    readBalance: readBalanceRoute(ctx) as Route,
    storeWallet: storeWalletRoute(ctx) as Route,
    listWallets: listWalletsRoute(ctx) as Route,
    getWallet: getWalletRoute(ctx),
    renameWallet: renameWalletRoute(ctx) as Route,
    archiveWallet: archiveWalletRoute(ctx),
    sendFromWallet: sendFromWalletRoute(ctx) as Route,
    createTransfer: createTransferRoute(ctx) as Route,
    estimateTransfer: estimateTransferRoute(ctx) as Route,
    prepareTransfer: prepareTransferRoute(ctx) as Route,
    submitTransfer: submitTransferRoute(ctx) as Route,
    listTransfers: listTransfersRoute(ctx) as Route,
    getTransfer: getTransferRoute(ctx),
    ...sharedRoutes(ctx),
  }
}

/** Handlers that the dashboard's contract shares, for the selected business. */
export const sharedRoutes = (ctx: ApiContext): Record<string, Route> => ({
  ...monitoringRoutes(ctx),
  ...webhookEndpointRoutes(ctx),
  ...webhookRoutes(ctx),
})
