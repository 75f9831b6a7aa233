import { anyObject, boolean, type Fields, list, number, object, oneOf, orNull, text } from './demands.ts'

// The specification's section "Resources and their fields".

export const tokens = oneOf('USDC', 'USDT')
export const memoTypes = oneOf('text', 'id', 'hash')
export const deliveryStates = oneOf('pending', 'delivered', 'failed')
export const stakeStates = oneOf('active', 'unstaking', 'withdrawn')
export const collectionStates = oneOf('pending', 'processing', 'completed', 'expired', 'failed', 'refunded')

export const session: Fields = {
  id: text,
  chain: text,
  address: text,
  token: tokens,
  amountExpected: text,
  status: oneOf('pending', 'paid', 'paid_out', 'expired', 'cancelled'),
  expiresAt: text,
  label: text,
}

export const quote: Fields = {
  chain: text,
  token: text,
  amount: text,
  localAmount: text,
  fee: text,
  fxMargin: text,
}

export const network: Fields = { chain: text, tokens: list(tokens) }

export const bank: Fields = { id: text, name: text, code: text }

export const generatedWallet: Fields = {
  address: text,
  privateKey: text,
  publicKey: text,
  mnemonic: text,
  derivationPath: text,
  memo: text,
  memoType: memoTypes,
}

const balance: Fields = { symbol: text, balance: text, decimals: number }

export const walletBalance: Fields = {
  chain: text,
  address: text,
  balances: object({ native: object(balance), tokens: list(object({ address: text, ...balance })) }),
  lastUpdated: text,
}

export const transferResult: Fields = {
  txHash: text,
  status: oneOf('pending', 'confirmed', 'failed'),
  gasUsed: text,
}

/** The content of `data` depends on the provider. */
export const swapQuote: Fields = { provider: text, data: anyObject }

export const swapResult: Fields = { txHash: text, success: boolean }

export const monitoredAddress: Fields = { id: text, chain: text, address: text, businessId: text }

export const delivery: Fields = {
  id: text,
  chain: text,
  address: text,
  symbol: text,
  amount: text,
  txId: text,
  status: deliveryStates,
  attemptsCount: number,
  deliveredAt: text,
  createdAt: text,
}

export const stakingPlan: Fields = {
  id: text,
  name: text,
  description: text,
  chain: text,
  apy: number,
  lockDays: number,
  minAmount: text,
  maxAmount: text,
  penaltyPercent: number,
  isActive: boolean,
}

export const newStake: Fields = {
  id: text,
  planId: text,
  chain: text,
  amount: text,
  status: stakeStates,
  lockedUntil: text,
  createdAt: text,
}

/** `rewards` is only in lists. */
export const stake: Fields = { ...newStake, rewards: text }

export const unstaked: Fields = {
  id: text,
  status: oneOf('unstaking'),
  unstakedAmount: text,
  penalty: text,
  netAmount: text,
}

export const newBridgeTransfer: Fields = {
  id: text,
  sourceChain: text,
  destinationChain: text,
  status: oneOf('pending', 'in_progress', 'completed', 'failed'),
}

export const bridgeTransfer: Fields = {
  ...newBridgeTransfer,
  amount: text,
  sourceAddress: text,
  destinationAddress: text,
  sourceTxHash: text,
  destinationTxHash: orNull(text),
  errorMessage: orNull(text),
}

export const listedCollection: Fields = {
  id: text,
  businessId: text,
  status: collectionStates,
  amount: text,
  currency: text,
  country: text,
  walletAddress: text,
  cryptoCurrency: text,
  cryptoNetwork: text,
  cryptoAmount: text,
  bankName: text,
  bankAccountNumber: text,
  bankAccountName: text,
  rate: text,
  expiresAt: text,
  createdAt: text,
  updatedAt: text,
}

export const collection: Fields = {
  ...listedCollection,
  partnerPaymentId: text,
  partnerPaymentStatus: text,
  partnerReference: text,
  networkFeeUsd: text,
  serviceFeeUsd: text,
  convertedAmount: text,
}
