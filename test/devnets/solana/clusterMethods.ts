import { epochOf, scheduleOf, slotsPerEpoch } from './epochs.ts'
import { rpcErrors } from './errors.ts'
import { blockOf, hasTransaction, heightOf, slotOf, type View } from './faces.ts'
import { feeOf } from './fees.ts'
import { isRecent, maxProcessingAge } from './ledger.ts'
import {
  addressOf,
  type Config,
  commitmentOf,
  configOf,
  inContext,
  type Method,
  nodeVersion,
  signatureOf,
} from './params.ts'
import { decodeMessage } from './wire.ts'

/** Maximum answers of `getRecentPrioritizationFees` (Solana docs: up to 150 blocks). */
const feeBlocks = 150

/** The last block at a commitment; for the open slot, its parent. */
const recentBlock = (view: View, config: Config) => blockOf(view, commitmentOf(config)) ?? view.head

export const clusterMethods: Record<string, Method> = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'feature-set': 0, 'solana-core': nodeVersion }),
  getGenesisHash: ({ ledger }) => ledger.genesisHash,
  getSlot: (view, params) => {
    const config = configOf(params, 0)
    return inContext(view, config, null).context.slot
  },
  getBlockHeight: (view, params) => heightOf(view, commitmentOf(configOf(params, 0))),
  getTransactionCount: (view, params) => {
    const commitment = commitmentOf(configOf(params, 0))
    return [...view.ledger.bySignature.values()].filter((each) => hasTransaction(view, each, commitment))
      .length
  },

  getLatestBlockhash: (view, params) => {
    const config = configOf(params, 0)
    const lastValidBlockHeight = heightOf(view, commitmentOf(config)) + maxProcessingAge
    return inContext(view, config, { blockhash: recentBlock(view, config).blockhash, lastValidBlockHeight })
  },
  isBlockhashValid: (view, params) => {
    const config = configOf(params, 1)
    return inContext(view, config, isRecent(view.ledger, String(params[0]), recentBlock(view, config).height))
  },
  getFeeForMessage: (view, params) => {
    const config = configOf(params, 1)
    let message: ReturnType<typeof decodeMessage>
    try {
      message = decodeMessage(Uint8Array.from(Buffer.from(String(params[0]), 'base64')))
    } catch (error) {
      throw rpcErrors.invalidParams(
        `failed to deserialize solana_message::versions::VersionedMessage: ${(error as Error).message}`,
      )
    }
    // For an expired blockhash the node returns no fee.
    const valid = isRecent(view.ledger, message.recentBlockhash, recentBlock(view, config).height)
    return inContext(view, config, valid ? Number(feeOf(message)) : null)
  },
  getRecentPrioritizationFees: ({ ledger, head }) => {
    const blocks = ledger.blocks.slice(Math.max(0, head.height + 1 - feeBlocks), head.height + 1)
    return blocks.map(({ slot }) => ({ slot, prioritizationFee: 0 }))
  },

  getEpochInfo: (view, params) => {
    const commitment = commitmentOf(configOf(params, 0))
    const absoluteSlot = slotOf(view, commitment)
    const { epoch, slot } = epochOf(view.ledger, absoluteSlot)
    return {
      absoluteSlot,
      blockHeight: heightOf(view, commitment),
      epoch,
      slotIndex: absoluteSlot - slot,
      slotsInEpoch: slotsPerEpoch,
      transactionCount: view.ledger.bySignature.size,
    }
  },
  getEpochSchedule: ({ ledger }) => scheduleOf(ledger),

  /** Newest first (Solana docs, getSignaturesForAddress). */
  getSignaturesForAddress: (view, params) => {
    const config = configOf<{ before?: string; until?: string; limit?: number }>(params, 1)
    const commitment = commitmentOf(config)
    if (commitment === 'processed')
      throw rpcErrors.invalidParams('Method does not support commitment below `confirmed`')
    const address = addressOf(params[0])
    const limit = config.limit ?? 1000
    if (limit < 1 || limit > 1000) throw rpcErrors.invalidParams('Invalid limit; max 1000')
    const mentions = [...view.ledger.bySignature.values()]
      .filter((each) => each.slot >= view.first && hasTransaction(view, each, commitment))
      .filter(({ wire, meta }) =>
        [wire.accountKeys, meta.loadedAddresses.writable, meta.loadedAddresses.readonly].some((keys) =>
          keys.includes(address),
        ),
      )
      .reverse()
    const from =
      config.before === undefined
        ? 0
        : mentions.findIndex(({ signature }) => signature === signatureOf(config.before)) + 1
    const until =
      config.until === undefined
        ? -1
        : mentions.findIndex(({ signature }) => signature === signatureOf(config.until))
    return mentions
      .slice(from, until < 0 ? undefined : until)
      .slice(0, limit)
      .map(({ signature, slot, meta }) => ({
        signature,
        slot,
        err: meta.err,
        memo: null,
        blockTime: view.ledger.bySlot.get(slot)?.time ?? null,
        confirmationStatus: slot <= view.root.slot ? 'finalized' : 'confirmed',
      }))
  },
}
