import type { BlockHeader, TransactionFacts, Transfer } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import type { RpcBlock, RpcTransaction } from '../rpcTypes.ts'
import { dataOf } from '../wire.ts'
import { getBlock, requireBlock } from './getBlock.ts'
import { commitment, headerOf, highestVersion } from './header.ts'
import { accountKeys, messageOf, transfersOf } from './movements.ts'
import type { SolanaReaderContext } from './readerContext.ts'

/** Reads one transaction; null if no provider knows it. */
export function explainTransaction(
  ctx: Pick<SolanaReaderContext, 'providers'>,
  txId: string,
): Promise<TransactionFacts | null> {
  return ctx.providers.ask(async (rpc) => {
    const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: highestVersion }
    const transaction = (await rpc.call('getTransaction', [txId, options])) as
      | (RpcTransaction & { slot: number })
      | null
    if (!transaction)
      return (await isProcessed(rpc, txId))
        ? { status: 'pending', block: null, transfers: [], traced: true }
        : null
    const block = await blockOf(rpc, transaction.slot)
    const failed = transaction.meta?.err != null
    return sound(() => ({
      status: failed ? 'failed' : 'succeeded',
      block,
      transfers: failed
        ? intended(transaction)
        : transfersOf(transaction).filter(({ only }) => only !== 'out'),
      traced: true,
    }))
  })
}

/** True if it is in a block that is not confirmed yet. */
async function isProcessed(rpc: JsonRpc, txId: string): Promise<boolean> {
  const answered = (await rpc.call('getSignatureStatuses', [[txId]])) as {
    value?: ({ confirmationStatus?: string } | null)[]
  } | null
  return answered?.value?.[0]?.confirmationStatus === 'processed'
}

async function blockOf(rpc: JsonRpc, slot: number): Promise<BlockHeader> {
  const block = requireBlock(rpc, slot, await getBlock<RpcBlock>(rpc, slot, 'none'))
  return sound(() => headerOf(block, slot))
}

const systemProgram = '11111111111111111111111111111111'
const tokenPrograms = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
])
/**
 * First bytes of instructions: `Transfer` of the system program, `Transfer` and `TransferChecked` of the
 * token programs.
 */
const [systemTransfer, tokenTransfer, tokenTransferChecked] = [2, 3, 12]

/** The transfers that a failed transaction intended, by its top-level instructions. */
function intended({ transaction, meta }: RpcTransaction): Transfer[] {
  const message = messageOf(transaction)
  if (!meta) return []
  const keys = accountKeys(message, meta)
  const [txId = '', from = ''] = [message.signatures[0], keys[0]]
  return (message.message.instructions ?? []).flatMap(
    ({ programIdIndex, accounts, data }, index): Transfer[] => {
      const program = keys[programIdIndex] ?? ''
      const bytes = dataOf(data) ?? Buffer.alloc(0)
      const kind = bytes[0]
      const about = { txId, movementKey: `instruction:${index}`, from }
      if (program === systemProgram && kind === systemTransfer && bytes.length >= 12) {
        return [
          { ...about, contract: null, to: keys[accounts[1] ?? -1] ?? '', amount: bytes.readBigUInt64LE(4) },
        ]
      }
      if (
        !tokenPrograms.has(program) ||
        (kind !== tokenTransfer && kind !== tokenTransferChecked) ||
        bytes.length < 9
      )
        return []
      const account = accounts[kind === tokenTransferChecked ? 2 : 1]
      const held = [...(meta.postTokenBalances ?? []), ...(meta.preTokenBalances ?? [])].find(
        ({ accountIndex }) => accountIndex === account,
      )
      return held?.owner
        ? [{ ...about, contract: held.mint, to: held.owner, amount: bytes.readBigUInt64LE(1) }]
        : []
    },
  )
}
