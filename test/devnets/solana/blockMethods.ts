import { encodeAccountsOnly, encodeTransaction } from './encode.ts'
import { rpcErrors } from './errors.ts'
import {
  blockAt,
  hasTransaction,
  heightOf,
  servedBlock,
  servedMeta,
  slotOf,
  slotsBetween,
  type View,
} from './faces.ts'
import {
  atLeastConfirmed,
  type Config,
  configOf,
  type Method,
  nodeVersion,
  signatureOf,
  slotParam,
} from './params.ts'

interface BlockConfig extends Config {
  transactionDetails?: 'full' | 'accounts' | 'signatures' | 'none'
  rewards?: boolean
}

/** Maximum blocks per answer (`MAX_GET_CONFIRMED_BLOCKS_RANGE`). */
const maxRange = 500_000

/** (Solana docs, getSignatureStatuses) */
const maxSignatures = 256
/** Rooted blocks covered by the status cache (`MAX_RECENT_BLOCKHASHES`). */
const statusCacheBlocks = 300

/** Both methods that serve transactions also accept the encoding alone in place of the configuration. */
const formConfig = <T extends object>(params: readonly unknown[]): T & Config =>
  typeof params[1] === 'string' ? ({ encoding: params[1] } as T & Config) : configOf<T>(params, 1)

const formOf = ({ encoding = 'json', maxSupportedTransactionVersion }: Config) => ({
  encoding,
  maxSupportedTransactionVersion,
})

function transactionsOf(view: View, block: ReturnType<typeof servedBlock>, config: BlockConfig): object {
  const details = config.transactionDetails ?? 'full'
  if (details === 'none') return {}
  if (details === 'signatures') return { signatures: block.transactions.map((each) => each.signature) }
  if (details !== 'full' && details !== 'accounts')
    throw rpcErrors.invalidParams(`Invalid params: unknown variant \`${details}\`.`)
  const encode = details === 'full' ? encodeTransaction : encodeAccountsOnly
  return {
    transactions: block.transactions.map((each) => encode(each, servedMeta(view, each), formOf(config))),
  }
}

/** The last slot of a list and the configuration: the slot may be omitted. */
function endAndConfig(params: readonly unknown[]): [end: number | undefined, config: Config] {
  if (typeof params[1] === 'object' && params[1] !== null) return [undefined, configOf(params, 1)]
  return [
    params[1] === undefined || params[1] === null ? undefined : slotParam(params[1]),
    configOf(params, 2),
  ]
}

export const blockMethods: Record<string, Method> = {
  getBlock: (view, params) => {
    const config = formConfig<BlockConfig>(params)
    const slot = slotParam(params[0])
    const block = servedBlock(view, blockAt(view, slot, atLeastConfirmed(config)))
    return {
      blockHeight: block.height,
      blockTime: block.time,
      blockhash: block.blockhash,
      parentSlot: block.parentSlot,
      previousBlockhash: block.previousBlockhash,
      ...((config.rewards ?? true) ? { rewards: [] } : {}),
      ...transactionsOf(view, block, config),
    }
  },

  /** A node omits blocks that it has dropped: they appear as skipped slots. */
  getBlocks: (view, params) => {
    const start = slotParam(params[0])
    const [end = start + maxRange, config] = endAndConfig(params)
    const last = Math.min(end, slotOf(view, atLeastConfirmed(config)))
    if (last - start > maxRange) throw rpcErrors.invalidParams(`Slot range too large; max ${maxRange}`)
    return slotsBetween(view, start, last)
  },
  getBlocksWithLimit: (view, params) => {
    const limit = slotParam(params[1])
    if (limit > maxRange) throw rpcErrors.invalidParams(`Limit too large; max ${maxRange}`)
    return slotsBetween(
      view,
      slotParam(params[0]),
      slotOf(view, atLeastConfirmed(configOf(params, 2))),
    ).slice(0, limit)
  },
  getBlockTime: (view, params) => blockAt(view, slotParam(params[0]), 'confirmed').time,
  getFirstAvailableBlock: ({ first }) => first,
  minimumLedgerSlot: ({ first }) => first,

  getTransaction: (view, params) => {
    const config = formConfig<Config>(params)
    const commitment = atLeastConfirmed(config)
    const executed = view.ledger.bySignature.get(signatureOf(params[0]))
    const hidden =
      !executed ||
      !hasTransaction(view, executed, commitment) ||
      executed.slot < view.first ||
      view.flags.hide?.includes(executed.slot)
    if (hidden) return null
    return {
      slot: executed.slot,
      blockTime: view.ledger.bySlot.get(executed.slot)?.time ?? null,
      ...encodeTransaction(executed, servedMeta(view, executed), formOf(config)),
    }
  },

  /** Without a history search, only of transactions in the last slots (Solana docs, getSignatureStatuses). */
  getSignatureStatuses: (view, params) => {
    const config = configOf<{ searchTransactionHistory?: boolean }>(params, 1)
    const signatures = params[0] as unknown[]
    if (signatures.length > maxSignatures)
      throw rpcErrors.invalidParams(`Too many inputs provided; max ${maxSignatures}`)
    const oldest = view.ledger.blocks[Math.max(0, view.root.height - statusCacheBlocks)]?.slot ?? 0
    const value = signatures.map((signature) => {
      const executed = view.ledger.bySignature.get(signatureOf(signature))
      if (!executed || !hasTransaction(view, executed, 'processed')) return null
      if (
        executed.slot < (config.searchTransactionHistory ? view.first : oldest) ||
        view.flags.lost?.includes(executed.slot)
      )
        return null
      const { err, status } = executed.meta
      const final = executed.slot <= view.root.slot
      const height = view.ledger.bySlot.get(executed.slot)?.height ?? view.head.height + 1
      const statusBefore = executed.slot <= view.head.slot ? 'confirmed' : 'processed'
      return {
        slot: executed.slot,
        confirmations: final ? null : heightOf(view, 'processed') - height,
        err,
        status,
        confirmationStatus: final ? 'finalized' : statusBefore,
      }
    })
    return { context: { apiVersion: nodeVersion, slot: slotOf(view, 'processed') }, value }
  },
}
