import { type Address, erc20Abi, type Hex, hexToBigInt, parseAbi, parseEventLogs, parseGwei, type RpcLog, size, zeroAddress } from 'viem'
import type { Movement } from './movement.ts'
import type { RawBlock, RawFrame, RawReceipt, RawTransaction } from './rawBlock.ts'

/** Where Ethereum logs movements of the native coin once EIP-7708 is active: these are no token. */
const nativeLogs = '0xfffffffffffffffffffffffffffffffffffffffe'
/** Polygon's native coin as a contract; its LogFeeTransfer tells of fees and is no movement. */
const polygonCoin = '0x0000000000000000000000000000000000001010'
const polygonAbi = parseAbi([
  'event LogTransfer(address indexed token, address indexed from, address indexed to, uint256 amount, uint256 input1, uint256 input2, uint256 output1, uint256 output2)',
])

export interface Counted {
  erc20: Movement[]
  native: Movement[]
  /** Null where the recording does not tell of them: no traces, and no log of the native coin. */
  internal: Movement[] | null
  withdrawals: Movement[]
}

/** All movements of a recorded block, from its raw files and by viem's decoding. */
export function countMovements(block: RawBlock): Counted {
  return {
    erc20: erc20Of(block),
    native: nativeOf(block),
    internal: internalByTraces(block) ?? internalByLogs(block),
    withdrawals: withdrawalsOf(block),
  }
}

const isAt = (log: { address: Address }, address: string) => log.address.toLowerCase() === address

const logsOf = (block: RawBlock): RpcLog[] => block.receipts.flatMap((receipt) => receipt.logs)

/** viem takes a fourth topic or longer data for granted; an ERC-20 transfer has neither. */
const transfersIn = (logs: RpcLog[]) =>
  parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', strict: true, logs: logs.filter((log) => log.topics.length === 3 && size(log.data) === 32) })

function erc20Of(block: RawBlock): Movement[] {
  return transfersIn(logsOf(block))
    .filter((log) => log.args.value > 0n && !isAt(log, nativeLogs))
    .map(({ transactionHash, address, args }) => movement('erc20', hashOf(transactionHash), args.from, args.to, args.value, address))
}

/** What transactions carry themselves. It moves only when they succeed. */
function nativeOf(block: RawBlock): Movement[] {
  const receipts = new Map(block.receipts.map((receipt) => [receipt.transactionHash, receipt]))
  return block.transactions.flatMap((transaction) => {
    const amount = transaction.value ? hexToBigInt(transaction.value) : 0n
    const receipt = receipts.get(transaction.hash)
    if (amount === 0n || !receipt || !succeeded(receipt)) return []
    return [movement('native', transaction.hash, transaction.from, receiverOf(transaction, receipt), amount)]
  })
}

const withdrawalsOf = ({ hash, withdrawals }: RawBlock): Movement[] =>
  withdrawals.map(({ address, amount }) => movement('withdrawal', hash, zeroAddress, address, parseGwei(hexToBigInt(amount).toString())))

function succeeded({ status, transactionHash }: RawReceipt): boolean {
  if (status === undefined) throw new Error(`${transactionHash} is older than receipts with a status`)
  return hexToBigInt(status) === 1n
}

function receiverOf(transaction: RawTransaction, receipt: RawReceipt): Address {
  const to = transaction.to ?? receipt.contractAddress
  if (!to) throw new Error(`${transaction.hash} goes nowhere`)
  return to
}

/** Kinds of calls that hand their value to somebody. CALLCODE keeps it, DELEGATECALL only repeats its caller's. */
export const handsOver = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/**
 * What contracts sent, from the calls below each transaction's own; null without traces.
 * @param types kinds of calls to count
 */
export function internalByTraces(block: RawBlock, types: ReadonlySet<string> = handsOver): Movement[] | null {
  if (!block.frames) return null
  const found: Movement[] = []
  for (const [txHash, outermost] of block.frames) {
    for (const frame of lastingCallsBelow(outermost)) {
      const amount = frame.value ? hexToBigInt(frame.value) : 0n
      if (amount > 0n && frame.to && types.has(frame.type.toUpperCase())) found.push(movement('internal', txHash, frame.from, frame.to, amount))
    }
  }
  return found
}

/** Level by level: whoever failed is dropped, and so is never asked for what it called. */
function lastingCallsBelow(outermost: RawFrame): RawFrame[] {
  const lasting: RawFrame[] = []
  let level = [outermost].filter(held)
  while (level.length > 0) {
    level = level.flatMap((frame) => frame.calls ?? []).filter(held)
    lasting.push(...level)
  }
  return lasting
}

const held = (frame: RawFrame) => frame.error === undefined

/** The same from the chain's own log of native movements, where it keeps one: all of them, less the transactions' own. */
export function internalByLogs(block: RawBlock): Movement[] | null {
  const logged = block.chain === 'polygon' ? polygonMovements(block) : eip7708Movements(block)
  if (!logged) return null
  const own = nativeOf(block)
  for (const { txHash, from, to, amount } of own) {
    const at = logged.findIndex((each) => each.txHash === txHash && each.from === from && each.to === to && each.amount === amount)
    // EIP-7708 does not log what somebody sends to himself.
    if (at < 0 && from === to) continue
    if (at < 0) throw new Error(`${block.chain} ${block.height}: ${txHash} carries value, and no log tells of it`)
    logged.splice(at, 1)
  }
  return logged
}

/**
 * The node logs each movement. The coin's contract, when somebody calls its `transfer`, logs the same once more in its own
 * name, right behind the Transfer that it emits as if it were a token (MRC20.sol and BaseERC20NoSig.sol of Polygon's contracts).
 */
function polygonMovements(block: RawBlock): Movement[] {
  const logs = logsOf(block).filter((log) => isAt(log, polygonCoin))
  const repeated = new Set(transfersIn(logs).map((log) => Number(log.logIndex) + 1))
  return parseEventLogs({ abi: polygonAbi, eventName: 'LogTransfer', strict: true, logs })
    .filter((log) => log.args.amount > 0n && !repeated.has(Number(log.logIndex)))
    .map(({ transactionHash, args }) => movement('internal', hashOf(transactionHash), args.from, args.to, args.amount))
}

function eip7708Movements(block: RawBlock): Movement[] | null {
  const logs = logsOf(block).filter((log) => isAt(log, nativeLogs))
  if (logs.length === 0) return null
  return transfersIn(logs).map(({ transactionHash, args }) => movement('internal', hashOf(transactionHash), args.from, args.to, args.value))
}

function movement(kind: Movement['kind'], txHash: string, from: string, to: string, amount: bigint, contract: string | null = null): Movement {
  return { kind, txHash, from: from.toLowerCase(), to: to.toLowerCase(), amount, contract: contract?.toLowerCase() ?? null }
}

function hashOf(hash: Hex | null): Hex {
  if (!hash) throw new Error('a log of no transaction')
  return hash
}
