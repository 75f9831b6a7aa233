/** What crypto they send where, with the forms of addresses (reference/crypto-channels). */
interface CryptoNetwork {
  address: RegExp
  tokens: readonly string[]
  /** A tag is "required for USDC - XLM destination addresses" (docs/direct-settlement). */
  needsTag?: true
  /** Hundredths of dollars; by our own choice, except for TRC20 (docs/direct-settlement). */
  feeUsd: bigint
}

const evm = /^(0x)[0-9A-Fa-f]{40}$/

export const cryptoNetworks: Readonly<Record<string, CryptoNetwork>> = {
  XLM: { address: /^G[A-Z2-7]{55}$/, tokens: ['USDC'], needsTag: true, feeUsd: 1n },
  SOL: { address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, tokens: ['USDC', 'USDT'], feeUsd: 2n },
  CELO: { address: evm, tokens: ['USDC', 'USDT'], feeUsd: 2n },
  ERC20: { address: evm, tokens: ['USDC'], feeUsd: 90n },
  BASE: { address: evm, tokens: ['USDC'], feeUsd: 5n },
  POLYGON: { address: evm, tokens: ['USDT'], feeUsd: 5n },
  TRC20: { address: /^T[1-9A-HJ-NP-Za-km-z]{33}$/, tokens: ['USDT'], feeUsd: 113n },
}

/** Sandbox addresses whose transfer fails (docs/sandbox-testing-api). */
export const failingAddresses: ReadonlySet<string> = new Set([
  '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  'TFvde3D6NQrjXrjqUsdwLTCvVhdPDYEBRV',
  'Vote111111111111111111111111111111111111111',
])
