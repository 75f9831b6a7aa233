import { ProviderError } from '../chain.ts'
import { RpcError } from '../providers/jsonRpc.ts'

/** What nodes say in errors that are answers: a call that reverts, an account that lacks funds. */

/** The node's own words: without provider, method and code, and without what could be a signed transaction. */
export function saidBy(error: RpcError): string {
  const [, said = error.message] = /: error [^:]*: ([\s\S]*)$/.exec(error.message) ?? []
  return said.replace(/(?:0x)?[0-9a-f]{65,}/gi, '…').trim()
}

/**
 * A call that was carried out and failed. geth, Erigon, bor, BSC and nitro: `execution reverted` (code 3 with a reason), `out of gas`,
 * `gas required exceeds allowance`, `insufficient funds for transfer`, `invalid opcode`; Nethermind: `VM execution error`, `Reverted 0x…`
 * (code -32015); Besu: `Execution reverted`; Hardhat: `VM Exception`; anvil: `EVM error …`.
 */
const failedCall =
  /revert|out of ?gas|gas required exceeds|intrinsic gas|insufficient (?:funds|balance)|invalid (?:opcode|jump)|stack (?:over|under)flow|vm exception|vm execution|evm error|bad instruction|write protection|max call depth/i

/** What `ask` gives, or why the node says that the call fails. @throws ProviderError where it is not known whether it does */
export async function triedCall<T>(ask: () => Promise<T>): Promise<{ answered: T } | { failed: string }> {
  try {
    return { answered: await ask() }
  } catch (error) {
    if (error instanceof RpcError && (error.code === 3 || failedCall.test(saidBy(error)))) return { failed: reasonIn(saidBy(error)) }
    throw error
  }
}

const maxReason = 160

/** `execution reverted: ERC20: paused` is `ERC20: paused`; where no reason was given, the node's words. */
function reasonIn(said: string): string {
  const reason = said.replace(/^(?:vm exception while processing transaction: )?(?:execution )?reverted(?: with reason(?: string)?)?[:,]?\s*/i, '')
  const shown = (reason || said).replace(/^["']|["']$/g, '').replace(/[^\x20-\x7e…]+/g, ' ')
  return shown.length > maxReason ? `${shown.slice(0, maxReason)}…` : shown
}

/** What `ask` gives; null where the node does not offer the method, or not for this. @throws ProviderError in all other cases */
export async function offered<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof RpcError && error.isUnsupported) return null
    throw error
  }
}

/** @throws ProviderError where it is no number in hex, as nodes write quantities */
export function quantity(answered: unknown, what: string): bigint {
  if (typeof answered === 'string' && /^0x[0-9a-f]{1,64}$/i.test(answered)) return BigInt(answered)
  throw new ProviderError(`${what} is no number: ${String(answered).slice(0, 20)}`)
}
