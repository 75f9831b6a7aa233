/**
 * Parameters set by the committee of Super Representatives. TRON developers, "Chain parameters" and
 * `/wallet/getchainparameters`.
 */

/** One TRX. All amounts of the devnet are in sun. */
export const trx = 1_000_000

export const parameters = {
  /** TRX for an account that a transaction creates, in addition to `createAccountFee`. */
  getCreateNewAccountFeeInSystemContract: trx,
  /** In place of staked bandwidth, if a transaction creates an account. */
  getCreateAccountFee: trx / 10,
  getCreateNewAccountBandwidthRate: 1,
  /** Sun for one byte of bandwidth. */
  getTransactionFee: 1000,
  /** Sun for one unit of energy: 210 until proposal 104 (2025-08-29), 100 since. */
  getEnergyFee: 100,
  getFreeNetLimit: 600,
  getTotalNetLimit: 43_200_000_000,
  getTotalEnergyLimit: 180_000_000_000,
  getTotalEnergyCurrentLimit: 180_000_000_000,
  getMaxFeeLimit: 15_000 * trx,
  getMemoFee: trx,
  getMultiSignFee: trx,
  getUpdateAccountPermissionFee: 100 * trx,
  getForbidTransferToContract: 1,
  getMaxCreateAccountTxSize: 1000,
  getUnfreezeDelayDays: 14,
  getMaxCpuTimeOfOneTx: 80,
  getAllowMultiSign: 1,
  getAllowTvmTransferTrc10: 1,
  getAllowSameTokenName: 1,
  getAllowCreationOfContracts: 1,
  getAllowTvmLondon: 1,
  getAllowTvmShangHai: 1,
}

/** Others' total stake in TRX, which decides a stake's share of the totals. About mainnet's in 2025. */
export const totalNetWeight = 26_000_000_000
export const totalEnergyWeight = 19_000_000_000

/** java-tron, Constant and Parameter.ChainConstant. */
export const limits = {
  transactionBytes: 500 * 1024,
  /** Added to each transaction's own bytes. */
  resultBytes: 64,
  signatureBytes: 65,
  expirationMs: 24 * 60 * 60 * 1000,
  blockIntervalMs: 3000,
  /** Resource usage recovers over a day of slots. */
  windowSlots: 28_800,
  recentBlocks: 65_536,
  signatures: 5,
}

export const witnessCount = 27
/** The block version of java-tron 4.8.0. */
export const blockVersion = 32
