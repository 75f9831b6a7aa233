import { type Hex, keccak256 } from 'viem'
import { type Rlp, rlp, rlpNumber, typed } from './slowTrie.ts'

/** A signed EVM transaction as nodes answer it; each type needs some of these. */
export interface SlowTransaction {
  type?: string
  chainId?: string
  nonce: string
  gasPrice?: string
  maxFeePerGas?: string
  maxPriorityFeePerGas?: string
  maxFeePerBlobGas?: string
  gas: string
  from: string
  to?: string | null
  value: string
  input: string
  accessList?: readonly { address: string; storageKeys: readonly string[] }[]
  blobVersionedHashes?: readonly string[]
  authorizationList?: readonly {
    chainId: string
    address: string
    nonce: string
    yParity: string
    r: string
    s: string
  }[]
  v?: string
  r?: string
  s?: string
  sourceHash?: string
  mint?: string
  isSystemTx?: boolean
}

const number = (text: string | undefined): Hex => rlpNumber(text ?? '0x0')

/*
 * The bytes of a transaction, an independent implementation of the EIPs (155, 2930, 1559, 4844, 7702) and the
 * specifications of OP's deposits and of Arbitrum's internal ones; RLP and Keccak are viem's.
 */
export function encodeTransaction(of: SlowTransaction): Hex {
  const call: Rlp = [number(of.gas), (of.to ?? '0x') as Hex, number(of.value), of.input as Hex]
  const signature = [number(of.v), number(of.r), number(of.s)]
  const access = (of.accessList ?? []).map(
    ({ address, storageKeys }): Rlp => [address as Hex, storageKeys as Hex[]],
  )
  const priced = [
    number(of.chainId),
    number(of.nonce),
    number(of.maxPriorityFeePerGas),
    number(of.maxFeePerGas),
    ...call,
    access,
  ]
  const body = (): Rlp => {
    switch (Number(of.type ?? '0x0')) {
      case 0:
        return [number(of.nonce), number(of.gasPrice), ...call, ...signature]
      case 1:
        return [number(of.chainId), number(of.nonce), number(of.gasPrice), ...call, access, ...signature]
      case 2:
        return [...priced, ...signature]
      case 3:
        return [...priced, number(of.maxFeePerBlobGas), (of.blobVersionedHashes ?? []) as Hex[], ...signature]
      case 4: {
        const authorized = (of.authorizationList ?? []).map((each): Rlp => {
          const { chainId, address, nonce, yParity, r, s } = each
          return [number(chainId), address as Hex, number(nonce), number(yParity), number(r), number(s)]
        })
        return [...priced, authorized, ...signature]
      }
      case 0x7e: {
        const { sourceHash, from, to, mint, value, gas, isSystemTx, input } = of
        const sides = [from, to ?? '0x'] as Hex[]
        return [
          sourceHash as Hex,
          ...sides,
          number(mint),
          number(value),
          number(gas),
          isSystemTx ? '0x01' : '0x',
          input as Hex,
        ]
      }
      case 0x6a:
        return [number(of.chainId), of.input as Hex]
      default:
        throw new Error(`unknown transaction type ${of.type}`)
    }
  }
  return typed(of.type, rlp(body()))
}

export const slowTransactionHash = (transaction: SlowTransaction): Hex =>
  keccak256(encodeTransaction(transaction))
