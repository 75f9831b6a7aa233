import { ProviderError } from '../chain.ts'
import { RpcError } from '../providers/jsonRpc.ts'

/** Error responses that answer a question: a call that reverts, an account that lacks funds. */

/**
 * The node's own message: without provider, method and code, and without long hex, which could be a signed
 * transaction.
 */
export function nodeMessage(error: RpcError): string {
  const [, message = error.message] = /: error [^:]*: ([\s\S]*)$/.exec(error.message) ?? []
  return message.replace(/(?:0x)?[0-9a-f]{65,}/gi, '…').trim()
}

/**
 * Messages of a call that ran and failed. geth, Erigon, bor, BSC and nitro: `execution reverted` (code 3 with
 * a reason), `out of gas`,
 * `gas required exceeds allowance`, `insufficient funds for transfer`, `invalid opcode`; Nethermind:
 * `VM execution error`, `Reverted 0x…` (code -32015); Besu: `Execution reverted`; Hardhat: `VM Exception`;
 * anvil: `EVM error …`.
 */
const failedCall =
  /revert|out of ?gas|gas required exceeds|intrinsic gas|insufficient (?:funds|balance)|invalid (?:opcode|jump)|stack (?:over|under)flow|vm exception|vm execution|evm error|bad instruction|write protection|max call depth/i

/**
 * The result of `ask`, or the node's reason why the call fails. @throws ProviderError where the outcome is
 * unknown
 */
export async function tryCall<T>(ask: () => Promise<T>): Promise<{ answered: T } | { failed: string }> {
  try {
    return { answered: await ask() }
  } catch (error) {
    if (error instanceof RpcError && (error.rpcCode === 3 || failedCall.test(nodeMessage(error))))
      return { failed: reasonIn(nodeMessage(error)) }
    throw error
  }
}

const maxReason = 160

/** `execution reverted: ERC20: paused` becomes `ERC20: paused`; without a reason, the node's message. */
export function reasonIn(message: string): string {
  const reason = message.replace(
    /^(?:vm exception while processing transaction: )?(?:execution )?reverted(?: with reason(?: string)?)?[:,]?\s*/i,
    '',
  )
  const shown = (reason || message).replace(/^["']|["']$/g, '').replace(/[^\x20-\x7e…]+/g, ' ')
  return shown.length > maxReason ? `${shown.slice(0, maxReason)}…` : shown
}

/**
 * The result of `ask`; null where the node does not support the call. @throws ProviderError on any other
 * failure
 */
export async function ifSupported<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof RpcError && error.isUnsupported) return null
    throw error
  }
}

/** @throws ProviderError where the answer is not a quantity in hex */
export function quantity(answered: unknown, what: string): bigint {
  if (typeof answered === 'string' && /^0x[0-9a-f]{1,64}$/i.test(answered)) return BigInt(answered)
  throw new ProviderError(`${what} is not a number: ${String(answered).slice(0, 20)}`)
}
