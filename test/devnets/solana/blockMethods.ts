import { encodeAccountsOnly, encodeTransaction } from './encode.ts'
import { rpcErrors } from './errors.ts'
import { blockAt, heightOf, knows, slotOf, slotsBetween, toldBlock, toldMeta, type View } from './faces.ts'
import { atLeastConfirmed, type Config, configOf, type Method, nodeVersion, signatureOf, slotParam } from './params.ts'

interface BlockConfig extends Config {
  transactionDetails?: 'full' | 'accounts' | 'signatures' | 'none'
  rewards?: boolean
}

/** Blocks that one answer lists (`MAX_GET_CONFIRMED_BLOCKS_RANGE`). */
const maxRange = 500_000

/** (Solana docs, getSignatureStatuses) */
const maxSignatures = 256
/** Rooted blocks that the status cache covers (`MAX_RECENT_BLOCKHASHES`). */
const statusCacheBlocks = 300

/** Both methods that serve transactions once took the encoding alone in the place of the configuration. */
const formConfig = <T extends object>(params: readonly unknown[]): T & Config =>
  typeof params[1] === 'string' ? ({ encoding: params[1] } as T & Config) : configOf<T>(params, 1)

const formOf = ({ encoding = 'json', maxSupportedTransactionVersion }: Config) => ({ encoding, maxSupportedTransactionVersion })

function transactionsOf(view: View, block: ReturnType<typeof toldBlock>, config: BlockConfig): object {
  const details = config.transactionDetails ?? 'full'
  if (details === 'none') return {}
  if (details === 'signatures') return { signatures: block.transactions.map((each) => each.signature) }
  if (details !== 'full' && details !== 'accounts') throw rpcErrors.invalidParams(`Invalid params: unknown variant \`${details}\`.`)
  const encode = details === 'full' ? encodeTransaction : encodeAccountsOnly
  return { transactions: block.transactions.map((each) => encode(each, toldMeta(view, each), formOf(config))) }
}

/** The last slot of a list: the second parameter may be left out, and the configuration take its place. */
function endAndConfig(params: readonly unknown[]): [end: number | undefined, config: Config] {
  if (typeof params[1] === 'object' && params[1] !== null) return [undefined, configOf(params, 1)]
  return [params[1] === undefined || params[1] === null ? undefined : slotParam(params[1]), configOf(params, 2)]
}

export const blockMethods: Record<string, Method> = {
  getBlock: (view, params) => {
    const config = formConfig<BlockConfig>(params)
    const slot = slotParam(params[0])
    const block = toldBlock(view, blockAt(view, slot, atLeastConfirmed(config)))
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

  /** Of blocks that it has dropped, a node says nothing here: they look like skipped slots. */
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
    return slotsBetween(view, slotParam(params[0]), slotOf(view, atLeastConfirmed(configOf(params, 2)))).slice(0, limit)
  },
  getBlockTime: (view, params) => blockAt(view, slotParam(params[0]), 'confirmed').time,
  getFirstAvailableBlock: ({ first }) => first,
  minimumLedgerSlot: ({ first }) => first,

  getTransaction: (view, params) => {
    const config = formConfig<Config>(params)
    const commitment = atLeastConfirmed(config)
    const executed = view.ledger.bySignature.get(signatureOf(params[0]))
    const hidden = !executed || !knows(view, executed, commitment) || executed.slot < view.first || view.flags.hide?.includes(executed.slot)
    if (hidden) return null
    return {
      slot: executed.slot,
      blockTime: view.ledger.bySlot.get(executed.slot)?.time ?? null,
      ...encodeTransaction(executed, toldMeta(view, executed), formOf(config)),
    }
  },

  /** Without a search of the history, only of those in the last slots (Solana docs, getSignatureStatuses). */
  getSignatureStatuses: (view, params) => {
    const config = configOf<{ searchTransactionHistory?: boolean }>(params, 1)
    const signatures = params[0] as unknown[]
    if (signatures.length > maxSignatures) throw rpcErrors.invalidParams(`Too many inputs provided; max ${maxSignatures}`)
    const oldest = view.ledger.blocks[Math.max(0, view.root.height - statusCacheBlocks)]?.slot ?? 0
    const value = signatures.map((signature) => {
      const executed = view.ledger.bySignature.get(signatureOf(signature))
      if (!executed || !knows(view, executed, 'processed')) return null
      if (executed.slot < (config.searchTransactionHistory ? view.first : oldest) || view.flags.lost?.includes(executed.slot)) return null
      const { err, status } = executed.meta
      const final = executed.slot <= view.root.slot
      const height = view.ledger.bySlot.get(executed.slot)?.height ?? view.head.height + 1
      return {
        slot: executed.slot,
        confirmations: final ? null : heightOf(view, 'processed') - height,
        err,
        status,
        confirmationStatus: final ? 'finalized' : executed.slot <= view.head.slot ? 'confirmed' : 'processed',
      }
    })
    return { context: { apiVersion: nodeVersion, slot: slotOf(view, 'processed') }, value }
  },
}
