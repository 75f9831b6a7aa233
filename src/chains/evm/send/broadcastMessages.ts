import type { Broadcast } from '../../sending.ts'

/**
 * Error messages of `eth_sendRawTransaction`, by their meaning. Sources: geth (core/txpool/errors.go,
 * core/error.go; also used by bor, BSC, op-geth and nitro), Erigon (txpoolcfg.go), reth (rpc-eth-types),
 * Nethermind (AcceptTxResult.cs; older versions send the names), Besu (RpcErrorType), anvil (eth/error.rs),
 * nitro's sequencer, and OpenEthereum, whose messages some gateways still use. The first match counts:
 * "replacement transaction underpriced" must not match "transaction underpriced".
 */
const meanings: readonly (readonly [Broadcast['status'], RegExp])[] = [
  [
    'accepted',
    /\balready ?known\b|\bknown transaction\b|already_?exists|already (?:been )?imported|already in (?:the )?(?:mempool|pool)|existing txn? with same hash/i,
  ],
  [
    'nonce_taken',
    /replacement (?:transaction )?underpriced|ReplacementNotAllowed|could not replace existing|to replace existing|OwnNonceAlreadyUsed|same nonce in the queue|tries to replace pending/i,
  ],
  ['nonce_used', /\bnonce (?:is )?too low\b|\bOldNonce\b/i],
  [
    'busy',
    /(?:pool|queue) (?:is )?full\b|sub-pool is full|too many (?:requests|transactions)|rate limit|account limit exceeded|\bspammer\b|nonce (?:is )?too high|NonceGap|NonceTooFarInFuture|nonce too (?:far|distant)|in-flight transaction limit|gapped-nonce|already reserved|is syncing|^Syncing\b|try again/i,
  ],
  [
    'refused',
    /insufficient (?:funds|balance)|InsufficientFunds|exceeds account balance|overdraft|not enough funds|intrinsic ?gas|exceeds? (?:block|max transaction) gas limit|gas limit (?:is )?(?:too high|greater)|GasLimitExceeded|gas limit reached|gas uint64 overflow|GasUintOverflow|Int256Overflow|invalid sender|FailedToResolveSender|SenderIsContract|sender not an eoa|invalid (?:signature|chain ?id)|signed for another chain|replay-protected|max (?:priority )?fee per gas (?:higher|exceeds)|tip (?:higher|above)|fee cap exceeded|exceeds the configured cap|(?:transaction|tx) type|NotSupportedTxType|oversized data|MaxTxSizeExceeded|negative value|nonce has max value|^Invalid(?:,|$)|rlp:|failed to decode|invalid transaction(?! nonce)|black-?list/i,
  ],
  [
    'underpriced',
    /underpriced|FeeTooLow|fee too low|(?:gas price|priority fee).{0,40}(?:too low|below)|max (?:priority )?fee per gas|fee ?cap/i,
  ],
]

/** The meaning of a node's error message; null where the message is unknown. */
export const meaningOf = (message: string): Broadcast['status'] | null =>
  meanings.find(([, pattern]) => pattern.test(message))?.[0] ?? null
