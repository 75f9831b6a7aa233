/**
 * Transfers in logs, as src/chains/evm/read/movements.ts finds them in receipts alone. There they are
 * explained.
 *
 * A transfer is written as 100 bytes: contract, sender and recipient of 20 bytes each, the amount of 32, the
 * index of its log and the one of its receipt of 4 each. Movements of the native coin are written so too
 * where the block is read whole, without a contract and with a flag at the receipt: otherwise as the
 * addresses that they touch.
 */

export const transferSize: usize = 100

/** Set in the index of the receipt. */
const nativeFlag: i32 = 1 << 31

// keccak256("Transfer(address,address,uint256)")
const transferTopic: usize = memory.data<u8>([
  0xdd, 0xf2, 0x52, 0xad, 0x1b, 0xe2, 0xc8, 0x9b, 0x69, 0xc2, 0xb0, 0x68, 0xfc, 0x37, 0x8d, 0xaa, 0x95, 0x2b,
  0xa7, 0xf1, 0x63, 0xc4, 0xa1, 0x16, 0x28, 0xf5, 0x5a, 0x4d, 0xf5, 0x23, 0xb3, 0xef,
])
// keccak256("LogTransfer(address,address,address,uint256,uint256,uint256,uint256,uint256)")
const logTransferTopic: usize = memory.data<u8>([
  0xe6, 0x49, 0x7e, 0x3e, 0xe5, 0x48, 0xa3, 0x37, 0x21, 0x36, 0xaf, 0x2f, 0xcb, 0x06, 0x96, 0xdb, 0x31, 0xfc,
  0x6c, 0xf2, 0x02, 0x60, 0x70, 0x76, 0x45, 0x06, 0x8b, 0xd3, 0xfe, 0x97, 0xf3, 0xc4,
])
const nativeTransferLogger: usize = memory.data<u8>([
  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
  0xff, 0xfe,
])
const nativeLog: usize = memory.data(20, 4)
let hasNativeLog: bool = false

let transfers: usize = 0
let touched: usize = 0
let nativeByEvents: bool = false
let isWhole: bool = false

// The transfer in the log before, of the same receipt.
let beforeContract: usize = 0
let beforeFrom: usize = 0
let beforeTo: usize = 0
let beforeAmount: usize = 0

export function nativeLogAt(): usize {
  return nativeLog
}

export function transfersEnd(): usize {
  return transfers
}

export function touchedEnd(): usize {
  return touched
}

export function isNativeByEvents(): bool {
  return nativeByEvents
}

/**
 * @param transfersAt where transfers are written @param touchedAt where addresses are written that may have
 * moved the native coin
 */
export function beginTransfers(transfersAt: usize, touchedAt: usize, withNativeLog: bool, whole: bool): void {
  transfers = transfersAt
  isWhole = whole
  touched = touchedAt
  hasNativeLog = withNativeLog
  nativeByEvents = withNativeLog
}

export function beginReceipt(): void {
  beforeAmount = 0
}

/** @param address 20 bytes */
export function touch(address: usize): void {
  if (isWhole) return
  memory.copy(touched, address, 20)
  touched += 20
}

/**
 * Takes a log from its bytes.
 * @param address 20 bytes @param topics 33 bytes apart @param data `length` bytes
 * @returns false where the log is malformed
 */
export function takeLog(
  address: usize,
  topics: usize,
  count: i32,
  data: usize,
  length: usize,
  logIndex: i32,
  receipt: i32,
): bool {
  const isNative = isSame(address, nativeTransferLogger, 20)
  if (isNative) nativeByEvents = true
  if (count == 3 && length == 32 && isSame(topics, transferTopic, 32)) {
    take(isNative ? 0 : address, topics + 33 + 12, topics + 66 + 12, data, logIndex, receipt)
  } else if (
    count == 4 &&
    hasNativeLog &&
    isSame(topics, logTransferTopic, 32) &&
    isSame(address, nativeLog, 20)
  ) {
    if (length < 32) return false
    take(0, topics + 66 + 12, topics + 99 + 12, data, logIndex, receipt)
  } else beforeAmount = 0
  return true
}

/** @param contract 0 for the native coin */
function take(contract: usize, from: usize, to: usize, amount: usize, logIndex: i32, receipt: i32): void {
  if (isZero(amount)) {
    beforeAmount = 0
    return
  }
  const repeated = contract == 0 && isRepeated(from, to, amount)
  beforeContract = contract
  beforeFrom = from
  beforeTo = to
  beforeAmount = amount
  if (repeated) return
  if (contract == 0) {
    touch(from)
    touch(to)
    if (!isWhole) return
    memory.fill(transfers, 0, 20)
  } else memory.copy(transfers, contract, 20)
  memory.copy(transfers + 20, from, 20)
  memory.copy(transfers + 40, to, 20)
  memory.copy(transfers + 60, amount, 32)
  store<i32>(transfers, logIndex, 92)
  store<i32>(transfers, contract == 0 ? receipt | nativeFlag : receipt, 96)
  transfers += transferSize
}

function isRepeated(from: usize, to: usize, amount: usize): bool {
  return (
    hasNativeLog &&
    beforeAmount != 0 &&
    beforeContract != 0 &&
    isSame(beforeContract, nativeLog, 20) &&
    isSame(beforeFrom, from, 20) &&
    isSame(beforeTo, to, 20) &&
    isSame(beforeAmount, amount, 32)
  )
}

function isZero(amount: usize): bool {
  return !v128.any_true(v128.or(v128.load(amount), v128.load(amount, 16)))
}

function isSame(a: usize, b: usize, length: usize): bool {
  return memory.compare(a, b, length) == 0
}
