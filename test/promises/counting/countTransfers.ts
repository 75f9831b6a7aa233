import {
  type Address,
  erc20Abi,
  type Hex,
  hexToBigInt,
  parseAbi,
  parseEventLogs,
  parseGwei,
  type RpcLog,
  size,
  zeroAddress,
} from 'viem'
import type { CountedTransfer } from './countedTransfer.ts'
import type { RawBlock, RawFrame, RawReceipt, RawTransaction } from './rawBlock.ts'

/** Source of Ethereum's logs of native transfers once EIP-7708 is active: not a token. */
const nativeLogs = '0xfffffffffffffffffffffffffffffffffffffffe'
/** Polygon's native coin as a contract. Its LogFeeTransfer reports fees, which are not transfers. */
const polygonCoin = '0x0000000000000000000000000000000000001010'
const polygonAbi = parseAbi([
  'event LogTransfer(address indexed token, address indexed from, address indexed to, uint256 amount, uint256 input1, uint256 input2, uint256 output1, uint256 output2)',
])

export interface Counted {
  erc20: CountedTransfer[]
  native: CountedTransfer[]
  /** Null if the recording has neither traces nor logs of the native coin. */
  internal: CountedTransfer[] | null
  withdrawals: CountedTransfer[]
}

/** All transfers of a recorded block, from its raw files, decoded by viem. */
export function countTransfers(block: RawBlock): Counted {
  return {
    erc20: erc20Of(block),
    native: nativeOf(block),
    internal: internalByTraces(block) ?? internalByLogs(block),
    withdrawals: withdrawalsOf(block),
  }
}

const isAt = (log: { address: Address }, address: string) => log.address.toLowerCase() === address

const logsOf = (block: RawBlock): RpcLog[] => block.receipts.flatMap((receipt) => receipt.logs)

/** viem also accepts a fourth topic or longer data; an ERC-20 transfer has neither. */
const transfersIn = (logs: RpcLog[]) =>
  parseEventLogs({
    abi: erc20Abi,
    eventName: 'Transfer',
    strict: true,
    logs: logs.filter((log) => log.topics.length === 3 && size(log.data) === 32),
  })

function erc20Of(block: RawBlock): CountedTransfer[] {
  return transfersIn(logsOf(block))
    .filter((log) => log.args.value > 0n && !isAt(log, nativeLogs))
    .map(({ transactionHash, address, args }) =>
      transferOf('erc20', hashOf(transactionHash), args.from, args.to, args.value, address),
    )
}

/** The transactions' own value, which moves only if they succeed. */
function nativeOf(block: RawBlock): CountedTransfer[] {
  const receipts = new Map(block.receipts.map((receipt) => [receipt.transactionHash, receipt]))
  return block.transactions.flatMap((transaction) => {
    const amount = transaction.value ? hexToBigInt(transaction.value) : 0n
    const receipt = receipts.get(transaction.hash)
    if (amount === 0n || !receipt || !succeeded(receipt)) return []
    return [
      transferOf('native', transaction.hash, transaction.from, receiverOf(transaction, receipt), amount),
    ]
  })
}

const withdrawalsOf = ({ hash, withdrawals }: RawBlock): CountedTransfer[] =>
  withdrawals.map(({ address, amount }) =>
    transferOf('withdrawal', hash, zeroAddress, address, parseGwei(hexToBigInt(amount).toString())),
  )

function succeeded({ status, transactionHash }: RawReceipt): boolean {
  if (status === undefined) throw new Error(`${transactionHash} has no status: the receipt is too old`)
  return hexToBigInt(status) === 1n
}

function receiverOf(transaction: RawTransaction, receipt: RawReceipt): Address {
  const to = transaction.to ?? receipt.contractAddress
  if (!to) throw new Error(`${transaction.hash} has no receiver`)
  return to
}

/** Kinds of calls that transfer their value. CALLCODE keeps it, DELEGATECALL only repeats its caller's. */
export const transferringCalls = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/**
 * Transfers by contracts, from the calls below each transaction's own; null without traces.
 * @param types kinds of calls to count
 */
export function internalByTraces(
  block: RawBlock,
  types: ReadonlySet<string> = transferringCalls,
): CountedTransfer[] | null {
  if (!block.frames) return null
  const found: CountedTransfer[] = []
  for (const [txHash, outermost] of block.frames) {
    for (const frame of successfulCallsBelow(outermost)) {
      const amount = frame.value ? hexToBigInt(frame.value) : 0n
      if (amount > 0n && frame.to && types.has(frame.type.toUpperCase()))
        found.push(transferOf('internal', txHash, frame.from, frame.to, amount))
    }
  }
  return found
}

/** Level by level: a failed call is dropped together with all calls below it. */
function successfulCallsBelow(outermost: RawFrame): RawFrame[] {
  const successful: RawFrame[] = []
  let level = [outermost].filter(succeededCall)
  while (level.length > 0) {
    level = level.flatMap((frame) => frame.calls ?? []).filter(succeededCall)
    successful.push(...level)
  }
  return successful
}

const succeededCall = (frame: RawFrame) => frame.error === undefined

/**
 * The same from the chain's own log of native transfers, if it has one: all of them, without the
 * transactions' own.
 */
export function internalByLogs(block: RawBlock): CountedTransfer[] | null {
  const logged = block.chain === 'polygon' ? polygonTransfers(block) : eip7708Transfers(block)
  if (!logged) return null
  const own = nativeOf(block)
  for (const { txHash, from, to, amount } of own) {
    const at = logged.findIndex(
      (each) => each.txHash === txHash && each.from === from && each.to === to && each.amount === amount,
    )
    // EIP-7708 does not log transfers to oneself.
    if (at < 0 && from === to) continue
    if (at < 0)
      throw new Error(`${block.chain} ${block.height}: ${txHash} carries value, but has no log of it`)
    logged.splice(at, 1)
  }
  return logged
}

/**
 * The node logs each transfer. When the coin's contract is called with `transfer`, it logs the same once more
 * itself, right after a Transfer event as if it were a token (MRC20.sol and BaseERC20NoSig.sol of Polygon's
 * contracts).
 */
function polygonTransfers(block: RawBlock): CountedTransfer[] {
  const logs = logsOf(block).filter((log) => isAt(log, polygonCoin))
  const repeated = new Set(transfersIn(logs).map((log) => Number(log.logIndex) + 1))
  return parseEventLogs({ abi: polygonAbi, eventName: 'LogTransfer', strict: true, logs })
    .filter((log) => log.args.amount > 0n && !repeated.has(Number(log.logIndex)))
    .map(({ transactionHash, args }) =>
      transferOf('internal', hashOf(transactionHash), args.from, args.to, args.amount),
    )
}

function eip7708Transfers(block: RawBlock): CountedTransfer[] | null {
  const logs = logsOf(block).filter((log) => isAt(log, nativeLogs))
  if (logs.length === 0) return null
  return transfersIn(logs).map(({ transactionHash, args }) =>
    transferOf('internal', hashOf(transactionHash), args.from, args.to, args.value),
  )
}

function transferOf(
  kind: CountedTransfer['kind'],
  txHash: string,
  from: string,
  to: string,
  amount: bigint,
  contract: string | null = null,
): CountedTransfer {
  return {
    kind,
    txHash,
    from: from.toLowerCase(),
    to: to.toLowerCase(),
    amount,
    contract: contract?.toLowerCase() ?? null,
  }
}

function hashOf(hash: Hex | null): Hex {
  if (!hash) throw new Error('a log without a transaction')
  return hash
}
