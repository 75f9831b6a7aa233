import { ProviderError, type Transfer } from '../../chain.ts'
import type { RlpWriter } from '../rlp.ts'
import { type RpcHeader, zeroAddress } from '../rpcTypes.ts'
import type { EvmRules } from './movements.ts'
import { trieRoot } from './trieRoot.ts'

/**
 * A payment to a validator by the block itself, without a transaction (EIP-4895). Numbers in hex, the amount
 * in gwei.
 */
export interface RpcWithdrawal {
  index: string
  validatorIndex: string
  address: string
  amount: string
}

/** A header since the Shanghai fork. */
export interface PayingHeader extends RpcHeader {
  withdrawals?: readonly RpcWithdrawal[] | null
  withdrawalsRoot?: string | null
}

const weiOfGwei = 10n ** 9n

/**
 * The withdrawals that a block pays. They have no transaction: `txId` is the block id. `movementKey` has the
 * withdrawal's index, which is unique on the chain.
 * @throws ProviderError where they are malformed or do not match the withdrawals root
 */
export function withdrawalsOf(
  rules: Pick<EvmRules, 'ownReceipts' | 'trusted'>,
  block: PayingHeader,
): Transfer[] {
  const withdrawals = block.withdrawals ?? []
  if (!Array.isArray(withdrawals) || !withdrawals.every(isSound))
    throw new ProviderError(`block ${Number(block.number)}: withdrawals are malformed`)
  requireRoot(rules, block, withdrawals)
  return withdrawals
    .map(({ index, address, amount }) => ({
      txId: block.hash,
      movementKey: `withdrawal:${BigInt(index)}`,
      contract: null,
      from: zeroAddress,
      to: address.toLowerCase(),
      amount: BigInt(amount) * weiOfGwei,
      only: 'in' as const,
    }))
    .filter(({ amount }) => amount > 0n)
}

function requireRoot(
  rules: Pick<EvmRules, 'ownReceipts' | 'trusted'>,
  { number, withdrawalsRoot }: PayingHeader,
  withdrawals: RpcWithdrawal[],
): void {
  if (withdrawals.length === 0 && !withdrawalsRoot) return
  // Base and optimism pay no validators: since Isthmus the field holds a contract's storage root.
  if (rules.trusted || (withdrawals.length === 0 && rules.ownReceipts)) return
  if (trieRoot(withdrawals, { room: () => withdrawalRoom, write: writeWithdrawal }) === withdrawalsRoot)
    return
  throw new ProviderError(`block ${Number(number)}: withdrawals do not match the withdrawals root`)
}

/** An upper bound in bytes: three 8-byte numbers, an address, and their heads. */
const withdrawalRoom = 64

/** `[index, validatorIndex, address, amount]`, last one first (EIP-4895). */
function writeWithdrawal(writer: RlpWriter, { index, validatorIndex, address, amount }: RpcWithdrawal): void {
  const end = writer.at
  writer.hexNumber(amount)
  writer.hex(address)
  writer.hexNumber(validatorIndex)
  writer.hexNumber(index)
  writer.listSince(end)
}

const isNumber = (text: unknown) => typeof text === 'string' && /^0x[0-9a-f]+$/i.test(text)

const isSound = (each: RpcWithdrawal | null): boolean =>
  isNumber(each?.index) &&
  isNumber(each?.validatorIndex) &&
  isNumber(each?.amount) &&
  /^0x[0-9a-f]{40}$/i.test(each?.address ?? '')
