import {
  anyObject,
  boolean,
  list,
  number,
  object,
  oneOf,
  optional,
  required,
  type SpecifiedOperation,
  text,
  withDefault,
} from './demands.ts'
import {
  bank,
  bridgeTransfer,
  collection,
  collectionStates,
  delivery,
  deliveryStates,
  generatedWallet,
  listedCollection,
  memoTypes,
  monitoredAddress,
  network,
  newBridgeTransfer,
  newStake,
  quote,
  session,
  stake,
  stakeStates,
  stakingPlan,
  swapQuote,
  swapResult,
  tokens,
  transferResult,
  unstaked,
  walletBalance,
} from './resources.ts'

const page = withDefault(number, 1)
const limit = withDefault(number, 20)
const counts = { total: number, page: number, limit: number }
const networks = { networks: list(object(network)) }

/** The parameters of a swap, for its quote and its execution. */
const swap = {
  chain: required(text),
  sellToken: required(text),
  buyToken: required(text),
  amount: required(text),
  slippageBps: optional(withDefault(number, 50)),
}

/**
 * Every operation of the API's specification, built or not, as its sections "Endpoints" and "Limits" demand.
 * A field has no presence where the specification leaves open whether it is required.
 */
export const specifiedOperations: readonly SpecifiedOperation[] = [
  {
    name: 'POST /auth/login',
    credentials: 'public',
    body: { email: required(text), password: required(text) },
    answer: { accessToken: text, tokenType: oneOf('Bearer'), account: object({ id: text, email: text }) },
  },
  // Its answer is not shown.
  { name: 'GET /auth/me', credentials: 'access token' },
  {
    name: 'POST /pos/sessions',
    body: {
      chain: required(text),
      token: required(tokens),
      // It is "listed as required", and `amount` says "give this or `localAmount`, not both": neither can be
      // required.
      localAmount: text,
      localCurrency: optional(text),
      amount: optional(text),
      expirySeconds: optional(withDefault(number, 600)),
      label: optional(text),
    },
    answer: session,
  },
  // Clients poll it, though the specification shows neither its path nor more of its answer ("Gaps in the
  // endpoint set").
  { name: 'GET /pos/sessions/{id}', answer: session },
  {
    name: 'POST /pos/sessions/quote',
    body: {
      chain: required(text),
      token: required(tokens),
      localAmount: optional(text),
      localCurrency: optional(text),
      amount: optional(text),
    },
    answer: quote,
  },
  {
    name: 'GET /pos/sessions/banks',
    credentials: 'public',
    query: { currency: optional(text), countryCode: optional(text) },
    answer: { banks: list(object(bank)) },
  },
  { name: 'GET /pos/sessions/networks/all', answer: networks },
  { name: 'GET /pos/sessions/networks', query: { businessId: optional(text) }, answer: networks },
  {
    name: 'POST /crypto/wallets/generate',
    body: {
      chain: required(
        oneOf('ethereum', 'polygon', 'bsc', 'solana', 'tron', 'stellar', 'base', 'arbitrum', 'optimism'),
      ),
      mnemonic: optional(text),
      derivationPath: optional(text),
    },
    answer: generatedWallet,
  },
  {
    name: 'POST /crypto/wallets/balance',
    body: { chain: required(text), address: required(text), tokenAddresses: optional(list(text)) },
    answer: walletBalance,
  },
  {
    name: 'POST /crypto/transfers/tokens',
    body: {
      chain: required(oneOf('polygon', 'ethereum', 'solana', 'tron', 'stellar')),
      fromPrivateKey: required(text),
      toAddress: required(text),
      amount: required(text),
      token: optional(withDefault(oneOf('native', 'usdc', 'usdt'), 'native')),
      memo: optional(text),
      memoType: optional(withDefault(memoTypes, 'text')),
      gasPrice: optional(text),
      gasLimit: optional(text),
    },
    answer: transferResult,
  },
  { name: 'POST /crypto/swaps/quote', body: swap, answer: swapQuote },
  {
    name: 'POST /crypto/swaps/execute',
    body: { ...swap, privateKey: required(text), toAddress: optional(text) },
    answer: swapResult,
  },
  {
    name: 'POST /monitoring/addresses',
    // The specification does not show which are required, but the first two are necessary.
    body: { chain: required(text), address: required(text), metadata: optional(anyObject) },
    answer: monitoredAddress,
  },
  {
    name: 'POST /monitoring/addresses/remove',
    body: { chain: required(text), address: required(text) },
    answer: { success: boolean },
  },
  {
    name: 'GET /webhooks',
    query: {
      chain: optional(text),
      address: optional(text),
      status: optional(deliveryStates),
      page: optional(page),
      limit: optional({ ...limit, max: 100 }),
    },
    answer: { webhooks: list(object(delivery)), ...counts, totalPages: number },
  },
  {
    name: 'POST /bridge/transfer',
    body: {
      sourceChain: text,
      destinationChain: text,
      amount: text,
      sourceAddress: text,
      destinationAddress: text,
      automatic: withDefault(boolean, false),
    },
    answer: newBridgeTransfer,
  },
  { name: 'GET /bridge/transfer/{id}/status', answer: bridgeTransfer },
  {
    name: 'GET /staking/plans',
    query: { chain: optional(text) },
    answer: { plans: list(object(stakingPlan)) },
  },
  {
    name: 'POST /staking/stake',
    body: {
      chain: required(text),
      planId: required(text),
      amount: required(text),
      fromPrivateKey: required(text),
      validator: optional(text),
    },
    answer: newStake,
  },
  {
    name: 'GET /staking/stakes',
    query: {
      chain: optional(text),
      status: optional(stakeStates),
      page: optional(page),
      limit: optional(limit),
    },
    answer: { stakes: list(object(stake)), ...counts },
  },
  {
    name: 'POST /staking/unstake',
    body: { stakeId: text, chain: text, fromPrivateKey: text, amountToUnstake: optional(text) },
    answer: unstaked,
  },
  { name: 'POST /fiat-collections/{id}/refresh-status', answer: collection },
  {
    // It sorts by `ASC` or `DESC` as well, by a parameter whose name is not shown.
    name: 'GET /fiat-collections',
    query: { status: optional(collectionStates), page: optional(number), limit: optional(limit) },
    answer: { data: list(object(listedCollection)), ...counts },
  },
  // The verification service.
  { name: 'GET /api/kyc/health', base: '', credentials: 'public', answer: { status: oneOf('ok') } },
]
