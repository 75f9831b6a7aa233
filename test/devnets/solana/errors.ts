/** JSON-RPC's error object. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** A transaction's error as the node writes it in JSON: a name, or an object with one key. */
export type TransactionError = string | Readonly<Record<string, unknown>>

/**
 * The node's own errors with its codes and messages (anza-xyz/agave, rpc-client-api/src/custom_error.rs;
 * Solana docs, RPC).
 */
export const rpcErrors = {
  invalidParams: (message: string) => new RpcError(-32602, message),
  methodNotFound: () => new RpcError(-32601, 'Method not found'),
  blockCleanedUp: (slot: number, first: number) =>
    new RpcError(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`),
  preflightFailure: (error: TransactionError, result: object) =>
    new RpcError(-32002, `Transaction simulation failed: ${describeError(error)}`, { err: error, ...result }),
  signatureVerificationFailure: () => new RpcError(-32003, 'Transaction signature verification failure'),
  blockNotAvailable: (slot: number) => new RpcError(-32004, `Block not available for slot ${slot}`),
  slotSkipped: (slot: number) =>
    new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`),
  longTermStorageSlotSkipped: (slot: number) =>
    new RpcError(-32009, `Slot ${slot} was skipped, or missing in long-term storage`),
  blockStatusNotAvailableYet: (slot: number) =>
    new RpcError(-32014, `Block status not yet available for slot ${slot}`),
  unsupportedVersion: (version: number) =>
    new RpcError(
      -32015,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following ` +
        `configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    ),
  minContextSlotNotReached: (contextSlot: number) =>
    new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot }),
}

/**
 * In the order of litesvm's numbers (its `TransactionErrorFieldless`): agave's enum without the variants that
 * carry fields.
 */
const transactionErrors = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded',
  'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
] as const

/** In the order of litesvm's `InstructionErrorFieldless`, with agave's messages for common errors. */
const instructionErrors: readonly (readonly [name: string, words?: string])[] = [
  ['GenericError', 'generic instruction error'],
  ['InvalidArgument', 'invalid program argument'],
  ['InvalidInstructionData', 'invalid instruction data'],
  ['InvalidAccountData', 'invalid account data for instruction'],
  ['AccountDataTooSmall', 'account data too small for instruction'],
  ['InsufficientFunds', 'insufficient funds for instruction'],
  ['IncorrectProgramId', 'incorrect program id for instruction'],
  ['MissingRequiredSignature', 'missing required signature for instruction'],
  ['AccountAlreadyInitialized', 'instruction requires an uninitialized account'],
  ['UninitializedAccount', 'instruction requires an initialized account'],
  ['UnbalancedInstruction', 'sum of account balances before and after instruction do not match'],
  ['ModifiedProgramId', 'instruction illegally modified the program id of an account'],
  ['ExternalAccountLamportSpend', 'instruction spent from the balance of an account it does not own'],
  ['ExternalAccountDataModified', 'instruction modified data of an account it does not own'],
  ['ReadonlyLamportChange', 'instruction changed the balance of a read-only account'],
  ['ReadonlyDataModified', 'instruction modified data of a read-only account'],
  ['DuplicateAccountIndex'],
  ['ExecutableModified'],
  ['RentEpochModified'],
  ['NotEnoughAccountKeys', 'insufficient account keys for instruction'],
  ['AccountDataSizeChanged'],
  ['AccountNotExecutable', 'instruction expected an executable account'],
  ['AccountBorrowFailed'],
  ['AccountBorrowOutstanding'],
  ['DuplicateAccountOutOfSync'],
  ['InvalidError'],
  ['ExecutableDataModified'],
  ['ExecutableLamportChange'],
  ['ExecutableAccountNotRentExempt'],
  ['UnsupportedProgramId', 'Unsupported program id'],
  ['CallDepth'],
  ['MissingAccount', 'An account required by the instruction is missing'],
  ['ReentrancyNotAllowed'],
  ['MaxSeedLengthExceeded'],
  ['InvalidSeeds', 'Provided seeds do not result in a valid address'],
  ['InvalidRealloc'],
  ['ComputationalBudgetExceeded', 'Computational budget exceeded'],
  ['PrivilegeEscalation', 'Cross-program invocation with unauthorized signer or writable account'],
  ['ProgramEnvironmentSetupFailure'],
  ['ProgramFailedToComplete', 'Program failed to complete'],
  ['ProgramFailedToCompile'],
  ['Immutable', 'Account is immutable'],
  ['IncorrectAuthority', 'Incorrect authority provided'],
  ['AccountNotRentExempt'],
  ['InvalidAccountOwner', 'Invalid account owner'],
  ['ArithmeticOverflow', 'Program arithmetic overflowed'],
  ['UnsupportedSysvar'],
  ['IllegalOwner', 'Provided owner is not allowed'],
  ['MaxAccountsDataAllocationsExceeded'],
  ['MaxAccountsExceeded'],
  ['MaxInstructionTraceLengthExceeded'],
  ['BuiltinProgramsMustConsumeComputeUnits'],
  ['BorshIoError', 'Failed to serialize or deserialize account data'],
]

/** agave's messages (solana-transaction-error) for common errors. */
const words: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  SignatureFailure: 'Transaction did not pass signature verification',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  AddressLookupTableNotFound: 'Transaction loads an address table account that does not exist',
  MaxLoadedAccountsDataSizeExceeded: 'Transaction exceeded max loaded accounts data size cap',
}

/** litesvm's errors are numbers, or objects with a class per variant that carries fields. */
export function transactionError(error: unknown): TransactionError {
  if (typeof error === 'number') return transactionErrors[error] ?? `Unknown(${error})`
  const fields = error as { index?: number; accountIndex?: number; err?: () => unknown }
  const { name } = (error as object).constructor
  if (fields.err) {
    const inner = fields.err()
    if (typeof inner === 'number')
      return { InstructionError: [fields.index, instructionErrors[inner]?.[0] ?? `Unknown(${inner})`] }
    const code = (inner as { code?: number }).code
    return { InstructionError: [fields.index, code === undefined ? 'BorshIoError' : { Custom: code }] }
  }
  const kind = name.replace(/^TransactionError/, '')
  return { [kind]: fields.accountIndex === undefined ? fields.index : { account_index: fields.accountIndex } }
}

/** The text in the message of a failed preflight. */
export function describeError(error: TransactionError): string {
  if (typeof error === 'string') return words[error] ?? error
  const [kind, value] = Object.entries(error)[0] ?? ['', null]
  if (kind === 'InsufficientFundsForRent') {
    const index = (value as { account_index: number }).account_index
    return `Transaction results in an account (${index}) with insufficient funds for rent`
  }
  if (kind !== 'InstructionError') return kind
  const [index, reason] = value as [number, string | { Custom: number }]
  const text =
    typeof reason === 'object'
      ? `custom program error: 0x${reason.Custom.toString(16)}`
      : (instructionErrors.find(([name]) => name === reason)?.[1] ?? reason)
  return `Error processing Instruction ${index}: ${text}`
}
