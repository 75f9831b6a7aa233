import { parseAbi } from 'viem/utils'

/** CCTP v2 (circlefin/evm-cctp-contracts, `src/v2`): what is called, and the event of a mint. */
export const tokenMessengerAbi = parseAbi([
  'function depositForBurn(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold)',
  'function depositForBurnWithHook(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold, bytes hookData)',
  'function getMinFeeAmount(uint256 amount) view returns (uint256)',
  'function localMinter() view returns (address)',
])

export const tokenMinterAbi = parseAbi([
  'function burnLimitsPerMessage(address token) view returns (uint256)',
])

export const messageTransmitterAbi = parseAbi([
  'function receiveMessage(bytes message, bytes attestation) returns (bool)',
  'function usedNonces(bytes32 nonce) view returns (uint256)',
  'event MessageReceived(address indexed caller, uint32 sourceDomain, bytes32 indexed nonce, bytes32 sender, uint32 indexed finalityThresholdExecuted, bytes messageBody)',
])

/** USDC (circlefin/stablecoin-evm, `Blacklistable`). */
export const blacklistAbi = parseAbi(['function isBlacklisted(address account) view returns (bool)'])

export const approveAbi = parseAbi(['function approve(address spender, uint256 value) returns (bool)'])
