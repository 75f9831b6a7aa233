import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { dashboardTwin, type Method, type Operation } from '../../api/contract.ts'
import type { ApiOperations, DashboardOperations, operations } from '../../client/contract/api.ts'
import type { BodyOf } from '../../src/http/routes.ts'
import { newId } from '../../src/platform/ids.ts'
import { bridgeWallet as storedBridgeWallet } from './bridging.ts'
import { checkoutUrl } from './checkoutUrl.ts'
import { goldenFile } from './goldenFiles.ts'
import { makePayouts } from './madePayout.ts'
import { makeRefund } from './madeRefunds.ts'
import { fund, newPayer, type Payer } from './payers.ts'
import { signPrepared } from './signPrepared.ts'
import { demoPassword, type Stack } from './stack.ts'
import { makeStakes, planTerms } from './stakeRow.ts'
import { makeWebhookRecords } from './webhookRecords.ts'

type PathOf<O extends keyof operations> = operations[O]['parameters'] extends { path: infer Path }
  ? Path
  : never
type SampleOf<O extends keyof operations> = ([PathOf<O>] extends [never] ? object : { path: PathOf<O> }) &
  ([BodyOf<O>] extends [never] ? object : { body: BodyOf<O> }) & { query?: Record<string, string> }

/** Ids of the records in sample requests; a test substitutes rows of its own. */
export interface SampleRecords {
  session: string
  /** Made at the till, and without a payment. */
  tillSession: string
  paymentLink: { id: string; token: string }
  wallet: string
  transfer: string
  swap: string
  /** A plan of the coin, and stakes of `payer`: one that is active, one that is unstaked. */
  plan: string
  stake: string
  unstaked: string
  /** A transfer from the stored wallet, which can be cancelled. */
  walletTransfer: string
  /** A prepared transfer, and its payload as its sender signed it. */
  prepared: { id: string; payload: string }
  /** The sender of coin. */
  payer: { address: string; privateKey: string }
  /** A stored wallet with USDC, and a bridge transfer of it; only in stacks with a bridge. */
  bridgeWallet: string
  bridgeTransfer: string
  /** USDC of the first chain. */
  usdc: string
  business: string
  /** A business without an owner. */
  ownerless: string
  /** The account of a member. */
  member: string
  invitation: string
  invitationToken: string
  key: string
  verification: string
  verificationKey: string
  signIn: string
  passkey: string
  endpoint: string
  delivery: string
  event: string
  monitored: string
  monitoredAddress: string
  import: string
  addition: string
  destination: string
  /** A wallet that payouts may go to. */
  payoutDestination: string
  /** Pending payouts, and one that waits for an approval. */
  payout: string
  unpaidPayout: string
  repricedPayout: string
  waitingPayout: string
  /** Two of pending payouts, and one that waits for an approval. */
  payoutBatch: string
  waitingBatch: string
  /** A paid session, with a refund that waits for its claim. */
  refunded: string
  refund: string
  /** Two that the partner has. */
  collection: string
  openCollection: string
  approval: string
  adjustment: string
  suspensePayment: string
}

/** Ids of records that do not exist. */
const batchTo = (id: string) => ({
  payouts: ['0.1', '0.2'].map((amount) => ({
    amount,
    source: { chain: 'ethereum' as const, token: 'USDC' as const },
    destination: { id },
  })),
})

export function unknownRecords(): SampleRecords {
  const privateKey = generatePrivateKey()
  return {
    session: newId(),
    tillSession: newId(),
    paymentLink: { id: newId(), token: 'A'.repeat(22) },
    wallet: newId(),
    transfer: newId(),
    bridgeWallet: someone,
    bridgeTransfer: newId(),
    swap: newId(),
    plan: newId(),
    stake: newId(),
    unstaked: newId(),
    walletTransfer: newId(),
    prepared: { id: newId(), payload: '0x00' },
    payer: { address: privateKeyToAddress(privateKey), privateKey },
    usdc: someone,
    business: newId(),
    ownerless: newId(),
    member: newId(),
    invitation: newId(),
    invitationToken: `token-${newId()}`,
    key: newId(),
    verification: newId(),
    verificationKey: newId(),
    signIn: newId(),
    passkey: newId(),
    endpoint: newId(),
    delivery: newId(),
    event: newId(),
    monitored: newId(),
    monitoredAddress: privateKeyToAddress(generatePrivateKey()),
    import: newId(),
    addition: newId(),
    destination: newId(),
    payoutDestination: newId(),
    payout: newId(),
    unpaidPayout: newId(),
    repricedPayout: newId(),
    payoutBatch: newId(),
    waitingBatch: newId(),
    waitingPayout: newId(),
    refunded: newId(),
    refund: newId(),
    collection: newId(),
    openCollection: newId(),
    approval: newId(),
    adjustment: newId(),
    suspensePayment: newId(),
  }
}

/** Records of the stack's own business with which every sample request of the public contract succeeds. */
export async function makeRecords(stack: Stack): Promise<SampleRecords> {
  const [payer, sender, signer, stored, swapper] = Array.from({ length: 5 }, () => newPayer('ethereum')) as [
    Payer,
    Payer,
    Payer,
    Payer,
    Payer,
  ]
  await Promise.all(
    [payer, sender, signer, stored, swapper].map((each) => fund(stack, each, { native: '1' })),
  )
  const make = async (path: string, body: object, expected = 201) => {
    const { status, body: made } = await stack.api<{ id: string; payload: string; url?: string }>(
      'POST',
      path,
      body,
    )
    if (status !== expected) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(made)}`)
    return made
  }
  const transfer = { chain: 'ethereum', toAddress: payer.address, amount: '0.1' }
  const swap = {
    chain: 'ethereum',
    sellToken: 'native',
    buyToken: stack.devnet.usdc,
    amount: '0.1',
    privateKey: swapper.privateKey,
  }
  const [session, wallet, sent, prepared, swapped, destination, collection, openCollection] =
    await Promise.all([
      stack.createSession(),
      make('/crypto/wallets', { chain: 'ethereum', privateKey: stored.privateKey }),
      make('/crypto/transfers/tokens', { ...transfer, fromPrivateKey: sender.privateKey }),
      make('/crypto/transfers/prepare', { ...transfer, fromAddress: signer.address }),
      make('/crypto/swaps/execute', swap),
      make('/payout-destinations', someAccount()),
      make('/fiat-collections', someCollection()),
      make('/fiat-collections', someCollection()),
    ])
  const fromWallet = await make(
    `/crypto/wallets/${wallet.id}/transfers`,
    { toAddress: payer.address, amount: '0.1' },
    202,
  )
  const payload = await signPrepared(stack, signer, prepared.payload)
  const bridge = stack.circle ? await makeBridge(stack) : {}
  const ids = {
    session: session.id,
    wallet: wallet.id,
    transfer: sent.id,
    swap: swapped.id,
    walletTransfer: fromWallet.id,
    destination: destination.id,
  }
  const link = await make('/payment-links', { amount: '1' })
  const paymentLink = { id: link.id, token: String(link.url).split('/').at(-1) ?? '' }
  const collections = { collection: collection.id, openCollection: openCollection.id }
  const payouts = await makePayouts(stack.db, stack.businessId)
  const stakes = await makeStakes(stack.db, stack.businessId, payer.address)
  const refund = await makeRefund(stack.db, stack.businessId)
  const made = {
    ...ids,
    ...payouts,
    ...stakes,
    ...refund,
    ...collections,
    paymentLink,
    prepared: { id: prepared.id, payload },
  }
  return {
    ...unknownRecords(),
    ...made,
    ...bridge,
    ...(await makeWebhookRecords(stack.db, stack.businessId)),
    payer,
    usdc: stack.devnet.usdc,
    business: stack.businessId,
  }
}

/** One for each stack: sends of its faucet at the same time would take one nonce. */
const bridgeWallets = new WeakMap<Stack, ReturnType<typeof storedBridgeWallet>>()

async function makeBridge(stack: Stack): Promise<Pick<SampleRecords, 'bridgeWallet' | 'bridgeTransfer'>> {
  const wallet = bridgeWallets.get(stack) ?? storedBridgeWallet(stack, 'ethereum')
  bridgeWallets.set(stack, wallet)
  const { address } = await wallet
  const { status, body } = await stack.api<{ id: string }>('POST', '/bridge/transfer', {
    ...bridged,
    sourceAddress: address,
  })
  if (status !== 201) throw new Error(`POST /bridge/transfer answered ${status}: ${JSON.stringify(body)}`)
  return { bridgeWallet: address, bridgeTransfer: body.id }
}

/** An address that never received a transfer. */
const someone = `0x${'ab'.repeat(20)}`
const someoneOnStellar = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'
const bridged = {
  sourceChain: 'ethereum',
  destinationChain: 'base',
  amount: '2',
  destinationAddress: someone,
} as const
const transfer = { chain: 'ethereum', toAddress: someone, amount: '0.001' } as const

const sendLimit = {
  chain: 'ethereum',
  token: 'usdc',
  perTransfer: '10',
  perDay: '100.5',
  approvalAbove: null,
} as const

/** A bank account that was never saved, of a bank of the partner's stand-in. */
export const someAccount = () => ({
  networkId: '5f1af11b-305f-4420-8fce-65ed2725a409',
  accountNumber: newId().replaceAll('-', '').slice(-12),
  accountName: 'Ada Stores Ltd',
})

/** A collection of a hundred dollars in naira, whose payer does not pay. */
export const someCollection = () => ({
  amount: '162000',
  currency: 'NGN',
  country: 'NG',
  walletAddress: someone,
  cryptoCurrency: 'USDC' as const,
  cryptoNetwork: 'ethereum' as const,
  recipient: {
    name: 'Ada Obi',
    country: 'NG',
    phone: '+2348012345678',
    address: '1 Road, Lagos',
    dob: '1997-02-01',
    email: 'ada@example.com',
    idNumber: '0123456789',
    idType: 'NIN',
    additionalIdType: 'BVN',
    additionalIdNumber: '22123456789',
  },
  source: { accountType: 'bank' as const },
})

const person = () => ({ email: `${newId()}@cowry.test`, name: 'Ada' })

type Shared = {
  [O in keyof ApiOperations as `${O}OfBusiness` extends keyof DashboardOperations ? O : never]: (
    of: SampleRecords,
  ) => SampleOf<O>
}
type Twins = { [O in keyof Shared as `${O}OfBusiness`]: (of: SampleRecords) => Sample }

/** The same requests for the dashboard's operations of the same kind. */
const withTwins = (shared: Shared): Shared & Twins => ({
  ...shared,
  ...(Object.fromEntries(
    Object.entries(shared as Record<string, (of: SampleRecords) => Sample>).map(([operationId, sample]) => [
      dashboardTwin(operationId),
      (of: SampleRecords) => ({ ...sample(of), path: { ...sample(of).path, businessId: of.business } }),
    ]),
  ) as unknown as Twins),
})

/** A request for each operation, which succeeds with a good credential and existing records. */
const samples: { [O in Exclude<keyof operations, keyof Twins>]: (of: SampleRecords) => SampleOf<O> } & Twins =
  {
    login: () => ({ body: { email: person().email, password: demoPassword } }),
    getMe: () => ({}),
    getSigningKeys: () => ({}),
    changeSession: ({ session }) => ({ path: { id: session }, body: { metadata: { order: '7' } } }),
    quoteSession: () => ({ body: { chain: 'ethereum', token: 'USDC', amount: '1' } }),
    streamSessionQuote: () => ({ query: { chain: 'ethereum', token: 'USDC', amount: '1' } }),
    listAllNetworks: () => ({}),
    listNetworks: ({ business }) => ({ query: { businessId: business } }),
    listCurrencies: () => ({}),
    listBanks: () => ({}),
    // Refused, because a sample has no signature.
    receiveYellowCardWebhook: () => ({ body: {} }),
    ...withTwins({
      createSession: () => ({ body: { chain: 'ethereum', token: 'USDC', amount: '1', expirySeconds: 600 } }),
      cancelSession: ({ session }) => ({ path: { id: session } }),
      explainTransaction: () => ({ path: { chain: 'ethereum', txId: `0x${'ab'.repeat(32)}` } }),
      listSessions: () => ({ query: { chain: 'ethereum' } }),
      getSession: ({ session }) => ({ path: { id: session } }),
      createPaymentLink: () => ({ body: { amount: '1', label: 'Invoice 7', maxSessions: 1 } }),
      listPaymentLinks: () => ({ query: { status: 'active' } }),
      getPaymentLink: ({ paymentLink }) => ({ path: { id: paymentLink.id } }),
      changePaymentLink: ({ paymentLink }) => ({
        path: { id: paymentLink.id },
        body: { label: 'Invoice 8' },
      }),
      monitorAddress: () => ({
        body: {
          chain: 'ethereum',
          address: privateKeyToAddress(generatePrivateKey()),
          metadata: { order: '7' },
        },
      }),
      monitorAddresses: () => ({
        body: { chain: 'ethereum', addresses: [{ address: privateKeyToAddress(generatePrivateKey()) }] },
      }),
      removeMonitoredAddress: ({ monitoredAddress }) => ({
        body: { chain: 'ethereum', address: monitoredAddress },
      }),
      listMonitoredAddresses: () => ({ query: { chain: 'ethereum' } }),
      getMonitoredAddress: ({ monitored }) => ({ path: { id: monitored } }),
      getOpeningBalance: ({ monitored }) => ({ path: { id: monitored } }),
      changeMonitoredAddress: ({ monitored }) => ({
        path: { id: monitored },
        body: { metadata: { order: '8' } },
      }),
      listMonitoringImports: () => ({}),
      getMonitoringAddition: (records) => ({ path: { id: records.addition } }),
      listAddedAddresses: (records) => ({ path: { id: records.addition } }),
      getMonitoringImport: (records) => ({ path: { id: records.import } }),
      listWebhookEndpoints: () => ({}),
      getWebhookEndpoint: ({ endpoint }) => ({ path: { id: endpoint } }),
      createWebhookEndpoint: () => ({ body: { url: 'https://example.com/hook', signature: 'hmac' } }),
      changeWebhookEndpoint: ({ endpoint }) => ({ path: { id: endpoint }, body: { description: 'changed' } }),
      removeWebhookEndpoint: ({ endpoint }) => ({ path: { id: endpoint } }),
      rotateWebhookSecret: ({ endpoint }) => ({ path: { id: endpoint }, body: {} }),
      getWebhookCallbacks: () => ({}),
      setWebhookCallbacks: () => ({ body: { hosts: ['shop.example.com'] } }),
      rotateCallbackSecret: () => ({ body: {} }),
      getAmountLimits: () => ({}),
      setAmountLimits: () => ({ body: { limits: [{ token: 'USDT', min: '0.000001' }] } }),
      testWebhookEndpoint: ({ endpoint }) => ({ path: { id: endpoint } }),
      pauseWebhookEndpoint: ({ endpoint }) => ({ path: { id: endpoint } }),
      resumeWebhookEndpoint: ({ endpoint }) => ({ path: { id: endpoint } }),
      listWebhooks: () => ({ query: { type: '*' } }),
      getWebhook: ({ delivery }) => ({ path: { id: delivery } }),
      replayWebhook: ({ delivery }) => ({ path: { id: delivery } }),
      replayWebhooks: () => ({ body: { since: '2026-01-01T00:00:00Z' } }),
      listEvents: () => ({ query: { after: '0' } }),
      getEvent: ({ event }) => ({ path: { id: event } }),
      listBalances: () => ({ query: { asset: 'ethereum:USDC' } }),
      listLedgerEntries: () => ({ query: { account: 'available' } }),
      createPayout: ({ payoutDestination }) => ({
        body: {
          amount: '1',
          source: { chain: 'ethereum', token: 'USDC' },
          destination: { id: payoutDestination },
        },
      }),
      createPayoutBatch: ({ payoutDestination }) => ({ body: batchTo(payoutDestination) }),
      checkPayoutBatch: ({ payoutDestination }) => ({ body: batchTo(payoutDestination) }),
      listPayoutBatches: () => ({ query: { reference: 'wages' } }),
      getPayoutBatch: ({ payoutBatch }) => ({ path: { id: payoutBatch } }),
      cancelPayoutBatch: ({ payoutBatch }) => ({ path: { id: payoutBatch } }),
      approvePayoutBatch: ({ waitingBatch }) => ({ path: { id: waitingBatch }, body: { revision: 2 } }),
      listPayouts: () => ({ query: { status: 'pending' } }),
      getPayout: ({ payout }) => ({ path: { id: payout } }),
      cancelPayout: ({ payout }) => ({ path: { id: payout } }),
      approvePayout: ({ waitingPayout }) => ({ path: { id: waitingPayout }, body: { revision: 1 } }),
      confirmPayoutPrice: ({ repricedPayout }) => ({ path: { id: repricedPayout }, body: { revision: 1 } }),
      markPayoutPaid: ({ unpaidPayout }) => ({
        path: { id: unpaidPayout },
        body: { revision: 1, proof: 'Receipt 17' },
      }),
      createPayoutDestination: () => ({ body: someAccount() }),
      listPayoutDestinations: () => ({ query: { kind: 'bank' } }),
      getPayoutDestination: ({ destination }) => ({ path: { id: destination } }),
      archivePayoutDestination: ({ destination }) => ({ path: { id: destination } }),
      createRefund: ({ refunded }) => ({
        path: { id: refunded },
        body: { kind: 'rest', toAddress: someone },
      }),
      listRefunds: ({ refunded }) => ({ path: { id: refunded } }),
      getRefund: ({ refunded, refund }) => ({ path: { id: refunded, refundId: refund } }),
      cancelRefund: ({ refunded, refund }) => ({ path: { id: refunded, refundId: refund } }),
      resolveSession: ({ refunded }) => ({ path: { id: refunded }, body: { resolution: 'leave' } }),
      createCollection: () => ({ body: someCollection() }),
      listCollections: () => ({ query: { status: 'processing' } }),
      getCollection: ({ collection }) => ({ path: { id: collection } }),
      createBridgeTransfer: ({ bridgeWallet }) => ({ body: { ...bridged, sourceAddress: bridgeWallet } }),
      estimateBridgeTransfer: ({ bridgeWallet }) => ({ body: { ...bridged, sourceAddress: bridgeWallet } }),
      getBridgeTransfer: ({ bridgeTransfer }) => ({ path: { id: bridgeTransfer } }),
      listBridgeTransfers: () => ({}),
      listSwaps: () => ({}),
      getSwap: ({ swap }) => ({ path: { id: swap } }),
      listStakingPlans: () => ({}),
      listStakes: () => ({}),
      getStake: ({ stake }) => ({ path: { id: stake } }),
      refreshCollection: ({ collection }) => ({ path: { id: collection } }),
      cancelCollection: ({ openCollection }) => ({ path: { id: openCollection } }),
      generateWallet: () => ({ body: { chain: 'ethereum' } }),
      readBalance: () => ({ body: { chain: 'ethereum', address: someone } }),
      listWallets: () => ({}),
      storeWallet: () => ({ body: { chain: 'ethereum', privateKey: generatePrivateKey() } }),
      getWallet: ({ wallet }) => ({ path: { id: wallet } }),
      renameWallet: ({ wallet }) => ({ path: { id: wallet }, body: { name: 'renamed' } }),
      archiveWallet: ({ wallet }) => ({ path: { id: wallet } }),
      sendFromWallet: ({ wallet }) => ({
        path: { id: wallet },
        body: { toAddress: someone, amount: '0.001', token: 'native', memoType: 'text' },
      }),
      estimateTransfer: ({ payer }) => ({
        body: { ...transfer, fromAddress: payer.address, token: 'native', memoType: 'text' },
      }),
      listTransfers: () => ({}),
      cancelTransfer: ({ walletTransfer }) => ({ path: { id: walletTransfer } }),
      getTransfer: ({ transfer }) => ({ path: { id: transfer } }),
      getLedgerStatement: () => ({ query: { from: '2026-01-01T00:00:00Z', to: '2026-12-01T00:00:00Z' } }),
    }),
    lookAtPaymentLink: ({ paymentLink }) => ({ path: { token: paymentLink.token } }),
    payByLink: ({ paymentLink }) => ({
      path: { token: paymentLink.token },
      body: { chain: 'ethereum', token: 'USDC', visit: 'v'.repeat(22) },
    }),
    getCheckout: ({ session }) => ({ path: { token: checkoutUrl(session).slice(-38) } }),
    lookAtRefundClaim: () => ({ body: { token: `refund_${newId()}` } }),
    claimRefund: () => ({ body: { token: `refund_${newId()}`, toAddress: someone } }),
    getFinality: () => ({}),
    setFinality: () => ({ body: { rules: [{ chain: 'ethereum', largeFrom: '5' }] } }),
    createTransfer: ({ payer }) => ({
      body: { ...transfer, fromPrivateKey: payer.privateKey, token: 'native', memoType: 'text' },
    }),
    streamSwapQuote: ({ usdc }) => ({
      query: { chain: 'ethereum', sellToken: 'native', buyToken: usdc, amount: '0.1' },
    }),
    quoteSwap: ({ usdc }) => ({
      body: { chain: 'ethereum', sellToken: 'native', buyToken: usdc, amount: '0.1' },
    }),
    executeSwap: ({ payer, usdc }) => ({
      body: {
        chain: 'ethereum',
        sellToken: 'native',
        buyToken: usdc,
        amount: '0.1',
        privateKey: payer.privateKey,
        toAddress: payer.address,
      },
    }),
    createStake: ({ payer, plan }) => ({
      body: { chain: 'ethereum', planId: plan, amount: '0.01', fromPrivateKey: payer.privateKey },
    }),
    unstake: ({ payer, stake }) => ({
      body: { stakeId: stake, chain: 'ethereum', fromPrivateKey: payer.privateKey },
    }),
    withdrawStake: ({ unstaked }) => ({ body: { stakeId: unstaked, chain: 'ethereum' } }),
    prepareTransfer: ({ payer }) => ({
      body: { ...transfer, fromAddress: payer.address, token: 'native', memoType: 'text' },
    }),
    submitTransfer: ({ prepared }) => ({ body: prepared }),
    getLiveness: () => ({}),
    getReadiness: () => ({}),

    signIn: () => ({ body: { email: person().email, password: demoPassword } }),
    getSignInHelp: () => ({}),
    requestReset: () => ({ body: { email: person().email } }),
    signOut: () => ({}),
    signOutEverywhere: () => ({}),
    getAccount: () => ({}),
    changeAccount: () => ({ body: { name: 'Ada' } }),
    chooseDefaultBusiness: () => ({ body: { businessId: null } }),
    proveAddress: () => ({}),
    changePassword: () => ({ body: { currentPassword: demoPassword, newPassword: 'slow-river-candle-4' } }),
    beginTotp: () => ({ body: { password: demoPassword } }),
    enableTotp: () => ({ body: { totp: '123456' } }),
    confirmFactor: () => ({ body: { totp: '123456' } }),
    disableTotp: () => ({ body: { password: demoPassword, totp: '123456' } }),
    renewRecoveryCodes: () => ({ body: { password: demoPassword, totp: '123456' } }),
    beginPasskeySignIn: () => ({ body: { email: person().email, password: demoPassword } }),
    listPasskeys: () => ({}),
    beginPasskey: () => ({ body: { password: demoPassword } }),
    addPasskey: () => ({
      body: {
        name: 'Laptop',
        passkey: { id: 'aa', clientDataJSON: 'aa', attestationObject: 'aa', transports: [] },
      },
    }),
    beginPasskeyConfirmation: () => ({}),
    renamePasskey: ({ passkey }) => ({ path: { passkeyId: passkey }, body: { name: 'Old laptop' } }),
    removePasskey: ({ passkey }) => ({ path: { passkeyId: passkey }, body: { password: demoPassword } }),
    listSignIns: () => ({}),
    revokeSignIn: ({ signIn }) => ({ path: { signInId: signIn } }),
    lookAtInvitation: ({ invitationToken }) => ({ body: { token: invitationToken } }),
    acceptInvitation: ({ invitationToken }) => ({
      body: { token: invitationToken, name: 'Ada', password: demoPassword },
    }),
    joinByInvitation: ({ invitationToken }) => ({ body: { token: invitationToken } }),
    createBusiness: () => ({ body: { name: 'Another business' } }),
    getBusiness: ({ business }) => ({ path: { businessId: business } }),
    changeBusiness: ({ business }) => ({ path: { businessId: business }, body: { name: 'Renamed' } }),
    setOwnersFactor: ({ business }) => ({
      path: { businessId: business },
      body: { ownersNeedSecondFactor: false },
    }),
    listMembers: ({ business }) => ({ path: { businessId: business } }),
    changeMember: ({ business, member }) => ({
      path: { businessId: business, accountId: member },
      body: { role: 'developer' },
    }),
    removeMember: ({ business, member }) => ({ path: { businessId: business, accountId: member } }),
    leaveBusiness: ({ business }) => ({ path: { businessId: business } }),
    getNotifications: ({ business }) => ({ path: { businessId: business } }),
    setNotifications: ({ business }) => ({ path: { businessId: business }, body: { kinds: ['paid'] } }),
    listInvitations: ({ business }) => ({ path: { businessId: business } }),
    inviteMember: ({ business }) => ({
      path: { businessId: business },
      body: { email: person().email, role: 'viewer' },
    }),
    revokeInvitation: ({ business, invitation }) => ({
      path: { businessId: business, invitationId: invitation },
    }),
    listKeys: ({ business }) => ({ path: { businessId: business } }),
    createKey: ({ business }) => ({ path: { businessId: business }, body: { name: 'till', scope: 'write' } }),
    getKey: ({ business, key }) => ({ path: { businessId: business, keyId: key } }),
    changeKey: ({ business, key }) => ({
      path: { businessId: business, keyId: key },
      body: { name: 'renamed' },
    }),
    rotateKey: ({ business, key }) => ({
      path: { businessId: business, keyId: key },
      body: { overlapSeconds: 60 },
    }),
    revokeKey: ({ business, key }) => ({ path: { businessId: business, keyId: key } }),
    allowRefundAddresses: ({ business, key }) => ({
      path: { businessId: business, keyId: key },
      body: { allowed: true },
    }),
    allowWalletSends: ({ business, key }) => ({
      path: { businessId: business, keyId: key },
      body: { allowed: true },
    }),
    listVerificationKeys: ({ business }) => ({ path: { businessId: business } }),
    createVerificationKey: ({ business }) => ({
      path: { businessId: business },
      body: { name: 'site', kind: 'publishable' },
    }),
    rotateVerificationKey: ({ business, verificationKey }) => ({
      path: { businessId: business, keyId: verificationKey },
      body: { overlapSeconds: 60 },
    }),
    setVerificationKeyOrigins: ({ business, verificationKey }) => ({
      path: { businessId: business, keyId: verificationKey },
      body: { origins: ['https://shop.example'] },
    }),
    revokeVerificationKey: ({ business, verificationKey }) => ({
      path: { businessId: business, keyId: verificationKey },
    }),
    listVerificationsOfBusiness: ({ business }) => ({ path: { businessId: business } }),
    getVerificationOfBusiness: ({ business, verification }) => ({
      path: { businessId: business, id: verification },
    }),
    listVerificationPrices: () => ({}),
    setVerificationPrice: () => ({ body: { product: 'decision', price: '0.25' } }),
    listSenders: ({ business }) => ({ path: { businessId: business } }),
    setWalletLimits: ({ business, wallet }) => ({
      path: { businessId: business, walletId: wallet },
      body: { amounts: [sendLimit], destinations: null },
    }),
    setKeyLimits: ({ business, key }) => ({
      path: { businessId: business, keyId: key },
      body: { amounts: [sendLimit], destinations: null },
    }),
    listApprovals: ({ business }) => ({ path: { businessId: business } }),
    decideApproval: ({ business, approval }) => ({
      path: { businessId: business, approvalId: approval },
      body: { decision: 'approved' },
    }),
    getPaymentSettings: ({ business }) => ({ path: { businessId: business } }),
    setPaymentSettings: ({ business }) => ({
      path: { businessId: business },
      body: { localCurrency: 'NGN', accepted: null },
    }),
    setLogo: ({ business }) => ({
      path: { businessId: business },
      body: { image: goldenFile('png').toString('base64') },
    }),
    removeLogo: ({ business }) => ({ path: { businessId: business } }),
    getOverview: ({ business }) => ({ path: { businessId: business } }),
    listExplorers: ({ business }) => ({ path: { businessId: business } }),
    getTill: ({ business }) => ({ path: { businessId: business } }),
    listTillSessions: ({ business }) => ({ path: { businessId: business } }),
    createTillSession: ({ business }) => ({
      path: { businessId: business },
      body: { chain: 'ethereum', token: 'USDC', amount: '1' },
    }),
    cancelTillSession: ({ business, tillSession }) => ({ path: { businessId: business, id: tillSession } }),
    getSessionTimeline: ({ business, session }) => ({ path: { businessId: business, id: session } }),
    listLedgerMonths: ({ business }) => ({ path: { businessId: business } }),
    closeLedgerMonth: ({ business }) => ({
      path: { businessId: business },
      body: { month: '2026-01' },
    }),
    listNewestEvents: ({ business }) => ({
      path: { businessId: business },
      query: { type: 'session.*', status: 'failed' },
    }),
    listSweeps: ({ business }) => ({ path: { businessId: business }, query: { state: 'open' } }),
    getAutosweep: ({ business }) => ({ path: { businessId: business } }),
    setAutosweep: ({ business }) => ({
      path: { businessId: business },
      body: { sweeps: [{ chain: 'ethereum', token: 'USDC', enabled: true, threshold: '25.5' }] },
    }),
    listPayoutBanks: ({ business }) => ({ path: { businessId: business } }),
    getPayoutSettings: ({ business }) => ({ path: { businessId: business } }),
    setPayoutSettings: ({ business }) => ({ path: { businessId: business }, body: { coolingOffHours: 48 } }),
    getAutopayout: ({ business }) => ({ path: { businessId: business } }),
    getCollectionOptions: ({ business }) => ({ path: { businessId: business } }),
    estimatePayout: ({ business, destination }) => ({
      path: { businessId: business },
      query: { chain: 'ethereum', token: 'USDC', amount: '100', destinationId: destination },
    }),
    setAutopayout: ({ business, destination }) => ({
      path: { businessId: business },
      body: { payouts: [{ chain: 'ethereum', token: 'USDC', enabled: false, destinationId: destination }] },
    }),
    getLegalProfile: ({ business }) => ({ path: { businessId: business } }),
    setLegalProfile: ({ business }) => ({
      path: { businessId: business },
      body: {
        businessName: 'Ada Stores Ltd',
        registrationNumber: 'RC 1234567',
        country: 'NG',
        address: '1 Marina Road, Lagos',
        phone: '+2348012345678',
        email: person().email,
      },
    }),
    listAudit: ({ business }) => ({ path: { businessId: business } }),
    listBusinesses: () => ({}),
    openBusiness: () => ({ body: { name: 'Opened', ownerEmail: person().email } }),
    inviteOwner: ({ ownerless }) => ({
      path: { businessId: ownerless },
      body: { ownerEmail: person().email },
    }),
    listOperatedMembers: ({ business }) => ({ path: { businessId: business } }),
    viewBusiness: ({ business }) => ({ path: { businessId: business } }),
    approveBusiness: ({ business }) => ({ path: { businessId: business } }),
    suspendBusiness: ({ business }) => ({ path: { businessId: business }, body: { reason: 'A test' } }),
    listHeldTransfers: ({ business }) => ({ path: { businessId: business } }),
    giveUpTransfer: ({ business, transfer }) => ({ path: { businessId: business, transferId: transfer } }),
    getDefaultCaps: () => ({}),
    listAdjustments: () => ({}),
    proposeAdjustment: ({ business }) => ({
      body: {
        businessId: business,
        debit: 'capital',
        credit: 'available',
        asset: 'ethereum:USDC',
        amount: '1.5',
        reason: 'A test',
      },
    }),
    decideAdjustment: ({ adjustment }) => ({
      path: { adjustmentId: adjustment },
      body: { decision: 'approved' },
    }),
    listSuspense: () => ({}),
    getHealth: () => ({}),
    listDeadJobs: () => ({}),
    replayDeadJob: () => ({ path: { jobId: '1' } }),
    replayDeadJobs: () => ({ body: { queue: 'suspense' } }),
    listCloses: () => ({}),
    listFloats: () => ({}),
    listPayoutPartners: () => ({}),
    listOperatedPlans: () => ({}),
    createStakingPlan: () => ({ body: { chain: 'ethereum', token: 'USDC', ...planTerms } }),
    changeStakingPlan: ({ plan }) => ({ path: { planId: plan }, body: { apy: '4.25' } }),
    stopStakingPlan: ({ plan }) => ({ path: { planId: plan } }),
    pausePayoutPartner: () => ({ path: { partner: 'yellowcard' }, body: { reason: 'A test' } }),
    resumePayoutPartner: () => ({ path: { partner: 'yellowcard' } }),
    proposeAssignment: ({ suspensePayment, business }) => ({
      path: { paymentId: suspensePayment },
      body: { businessId: business, reason: 'A test' },
    }),
    proposeReturn: ({ suspensePayment }) => ({
      path: { paymentId: suspensePayment },
      body: { toAddress: someoneOnStellar, reason: 'A test' },
    }),
    setCaps: ({ business }) => ({ path: { businessId: business }, body: { openSessions: 20_000 } }),
    setTimeZone: ({ business }) => ({
      path: { businessId: business },
      body: { timeZone: 'Africa/Lagos' },
    }),
    setFees: ({ business }) => ({
      path: { businessId: business },
      body: { feePercent: '2', fxMarginPercent: '1' },
    }),
    listAllAudit: () => ({}),
  }

/** As `operationsOf` lists it. */
export interface ListedOperation {
  method: Method
  path: string
  operation: Operation
  servers: string[]
}

export const nameOf = ({ method, path }: Pick<ListedOperation, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${path}`

/** @throws if an operation has no sample, or a sample lacks a parameter of the path */
export function sampleOf(
  { path, operation }: ListedOperation,
  records: SampleRecords = unknownRecords(),
): { path: string; body: object | undefined } {
  const { operationId } = operation
  const sample = Object.hasOwn(samples, operationId)
    ? (samples as Record<string, (of: SampleRecords) => Sample>)[operationId]
    : undefined
  if (!sample)
    throw new Error(`${operationId} has no sample request: add one to test/support/sampleRequests.ts`)
  const { path: values = {}, query, body } = sample(records)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the sample request of ${operationId} has no ${name}`)
    return encodeURIComponent(value)
  })
  return { path: query ? `${filled}?${new URLSearchParams(query)}` : filled, body }
}

interface Sample {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: object
}

/** Ids of records; no addresses, no business, and no plan: all businesses may use it. */
export function idsOf(records: SampleRecords): string[] {
  const {
    payer: _,
    business: __,
    ownerless: ___,
    usdc: ____,
    bridgeWallet: _____,
    plan: ______,
    ...owned
  } = records
  return Object.values(owned).map((thing) => (typeof thing === 'string' ? thing : thing.id))
}

/** True if the request names a record of a business. */
export const namesARecord = (listed: ListedOperation): boolean => {
  const records = unknownRecords()
  const sent = JSON.stringify(sampleOf(listed, records))
  return idsOf(records).some((id) => sent.includes(id))
}
