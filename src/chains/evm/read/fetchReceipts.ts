import type { Calling } from '../../providers/jsonRpc.ts'
import { resultIn } from '../../providers/jsonRpcAnswers.ts'
import { hex, type RpcReceipt } from '../rpcTypes.ts'
import type { EvmReaderContext } from './readerContext.ts'
import { type ScannedReceipts, scanningReceipts, scanReceipts } from './scanReceipts.ts'

const method = 'eth_getBlockReceipts'

/** The receipts of a block: scanned if the answer was understood, and in any case to be parsed. */
export interface AnsweredReceipts {
  scanned: ScannedReceipts | null
  parsed(): RpcReceipt[]
}

/**
 * @param whole the block's transactions are read too
 * @throws ProviderError, RpcError
 */
export async function fetchReceipts(
  { rules, threads }: Pick<EvmReaderContext, 'rules' | 'threads'>,
  rpc: Calling,
  height: number,
  { whole }: { whole: boolean },
): Promise<AnsweredReceipts> {
  const params = [hex(height)]
  if (!rpc.read) {
    const result = (await rpc.call(method, params)) as RpcReceipt[]
    return { scanned: null, parsed: () => result }
  }
  const options = { withRoot: rules.trusted !== true, nativeLog: rules.nativeLog, whole }
  const answer = await rpc.read(method, params, async (chunks, id) => {
    const scanned = await (threads && !whole
      ? threads.run(scanningReceipts, chunks, id, options)
      : scanReceipts(chunks, id, options))
    return scanned && { scanned, parsed: () => resultIn<RpcReceipt[]>(chunks) }
  })
  if ('scanned' in answer) return answer.scanned
  return { scanned: null, parsed: () => answer.result as RpcReceipt[] }
}
