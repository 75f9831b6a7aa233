/**
 * The minimum role of each operation, written independently of the contracts, so that a lost role there fails
 * a test. `anonymous`: without a credential; `account`: any signed-in account; `operator`: of the platform.
 */
export type Min = 'anonymous' | 'account' | 'cashier' | 'viewer' | 'developer' | 'owner' | 'operator'

/** Operations of the public contract that the dashboard has, too. */
const shared = {
  viewer: `
    listMonitoredAddresses getMonitoredAddress getOpeningBalance listMonitoringImports getMonitoringImport getMonitoringAddition listAddedAddresses listWebhookEndpoints getWebhookEndpoint getWebhookCallbacks getAmountLimits listWebhooks
    getWebhook listEvents getEvent listBalances listLedgerEntries getLedgerStatement listPayoutDestinations getPayoutDestination
    listSessions getSession listPaymentLinks getPaymentLink listPayouts listPayoutBatches getPayoutBatch getPayout listRefunds getRefund listCollections getCollection listSwaps getSwap
    estimateBridgeTransfer getBridgeTransfer listBridgeTransfers listStakingPlans listStakes getStake explainTransaction
    readBalance listWallets getWallet estimateTransfer listTransfers getTransfer`,
  developer: `
    monitorAddress monitorAddresses removeMonitoredAddress changeMonitoredAddress createWebhookEndpoint changeWebhookEndpoint
    removeWebhookEndpoint setWebhookCallbacks rotateCallbackSecret rotateWebhookSecret testWebhookEndpoint pauseWebhookEndpoint resumeWebhookEndpoint replayWebhooks replayWebhook
    createSession cancelSession createPaymentLink changePaymentLink createPayout cancelPayout confirmPayoutPrice createPayoutBatch checkPayoutBatch cancelPayoutBatch createRefund cancelRefund resolveSession createCollection cancelCollection refreshCollection
    generateWallet storeWallet renameWallet archiveWallet`,
  owner: `createPayoutDestination archivePayoutDestination approvePayout approvePayoutBatch markPayoutPaid createBridgeTransfer
    sendFromWallet cancelTransfer setAmountLimits`,
}

const publicApi: Partial<Record<Min, string>> = {
  anonymous:
    'login getSigningKeys listBanks receiveYellowCardWebhook lookAtRefundClaim claimRefund getCheckout lookAtPaymentLink payByLink getLiveness getReadiness',
  viewer: `${shared.viewer}
    getMe quoteSession quoteSwap streamSessionQuote streamSwapQuote listAllNetworks listNetworks listCurrencies getFinality`,
  developer: `${shared.developer}
    changeSession createTransfer prepareTransfer
    submitTransfer executeSwap createStake unstake withdrawStake`,
  owner: `${shared.owner} setFinality`,
}

const twinsOf = (names: string) => wordsOf(names).map((name) => `${name}OfBusiness`)

const dashboard: Partial<Record<Min, string>> = {
  anonymous: 'signIn beginPasskeySignIn getSignInHelp requestReset lookAtInvitation acceptInvitation',
  account: `
    signOut signOutEverywhere getAccount changeAccount chooseDefaultBusiness proveAddress changePassword confirmFactor beginTotp enableTotp disableTotp renewRecoveryCodes listSignIns revokeSignIn
    listPasskeys beginPasskey addPasskey beginPasskeyConfirmation renamePasskey removePasskey joinByInvitation createBusiness`,
  cashier: 'leaveBusiness getTill listTillSessions createTillSession cancelTillSession',
  viewer: `${twinsOf(shared.viewer).join(' ')}
    getBusiness listMembers listInvitations listKeys getKey listVerificationKeys listVerificationsOfBusiness getVerificationOfBusiness getPaymentSettings getAutosweep listLedgerMonths listSweeps getPayoutSettings listPayoutBanks listAudit listSenders listApprovals getOverview getSessionTimeline getAutopayout estimatePayout getCollectionOptions listExplorers listNewestEvents getNotifications setNotifications`,
  developer: `${twinsOf(shared.developer).join(' ')}
    createKey changeKey rotateKey revokeKey`,
  owner: `${twinsOf(shared.owner).join(' ')}
    changeBusiness setOwnersFactor changeMember removeMember inviteMember revokeInvitation setPaymentSettings setLogo removeLogo setAutosweep closeLedgerMonth setPayoutSettings setAutopayout
    getLegalProfile setLegalProfile allowWalletSends allowRefundAddresses setWalletLimits setKeyLimits decideApproval
    createVerificationKey rotateVerificationKey revokeVerificationKey setVerificationKeyOrigins`,
  operator: `
    listOperatedMembers listBusinesses openBusiness inviteOwner viewBusiness approveBusiness suspendBusiness listHeldTransfers giveUpTransfer setFees setTimeZone getDefaultCaps setCaps
    listAdjustments proposeAdjustment decideAdjustment listSuspense proposeAssignment proposeReturn listCloses listFloats
    listVerificationPrices setVerificationPrice
    listPayoutPartners pausePayoutPartner resumePayoutPartner
    listOperatedPlans createStakingPlan changeStakingPlan stopStakingPlan
    getHealth listDeadJobs replayDeadJob replayDeadJobs
    listAllAudit`,
}

function wordsOf(names: string): string[] {
  return names.trim().split(/\s+/)
}

const byOperation = (table: Partial<Record<Min, string>>): Record<string, Min> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([min, names]) => wordsOf(names).map((name) => [name, min as Min])),
  )

export const minInApi = byOperation(publicApi)
export const minInDashboard = byOperation(dashboard)

/**
 * Operations of the dashboard, too, that a deployment of mainnets refuses to a business that was not
 * approved.
 */
export const inProductionOnly = new Set([
  'decideApproval',
  'createTillSession',
  ...wordsOf(
    'monitorAddress monitorAddresses changeMonitoredAddress testWebhookEndpoint replayWebhooks replayWebhook createSession createPayout approvePayout markPayoutPaid confirmPayoutPrice createPayoutBatch approvePayoutBatch createCollection',
  ).flatMap(twinsOf),
])
