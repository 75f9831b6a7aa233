import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Address, Hex } from 'viem'
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  hexToBytes,
  keccak256,
  parseAbi,
  stringToHex,
} from 'viem/utils'
import type { Secret } from '../../../platform/secrets.ts'
import type { Authorization } from '../../sweeping.ts'

/**
 * EIP-3009 as Circle's FiatTokenV2 has it (circlefin/stablecoin-evm, `contracts/v2/EIP3009.sol`): tokens move
 * by their holder's signature over EIP-712 data, in a transaction that another one pays for.
 */

export const eip3009Abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

const hashOf = (text: string): Hex => keccak256(stringToHex(text))
const domainType = hashOf(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
const transferType = hashOf(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

export interface Domain {
  name: string
  version: string
  chainId: bigint
  contract: string
}

/** EIP-712, `domainSeparator`. */
export const domainSeparator = ({ name, version, chainId, contract }: Domain): Hex =>
  keccak256(
    encodeAbiParameters(
      [
        { type: 'bytes32' },
        { type: 'bytes32' },
        { type: 'bytes32' },
        { type: 'uint256' },
        { type: 'address' },
      ],
      [domainType, hashOf(name), hashOf(version), chainId, contract as Address],
    ),
  )

export interface AuthorizedMove {
  from: string
  to: string
  amount: bigint
}

/** Valid at once: only its end is bounded. */
const validAfter = 0n
const validBeforeOf = ({ validBefore }: Pick<Authorization, 'validBefore'>): bigint =>
  BigInt(Math.floor(validBefore.getTime() / 1000))
const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

/** The digest that the holder signs. */
export function authorizationDigest(
  domain: Domain,
  { from, to, amount }: AuthorizedMove,
  of: Pick<Authorization, 'nonce' | 'validBefore'>,
): Hex {
  const struct = keccak256(
    encodeAbiParameters(
      [
        { type: 'bytes32' },
        { type: 'address' },
        { type: 'address' },
        { type: 'uint256' },
        { type: 'uint256' },
        { type: 'uint256' },
        { type: 'bytes32' },
      ],
      [transferType, from as Address, to as Address, amount, validAfter, validBeforeOf(of), hexOf(of.nonce)],
    ),
  )
  return keccak256(concatHex(['0x1901', domainSeparator(domain), struct]))
}

/**
 * @returns r, s and v in 65 bytes, deterministic (RFC 6979), with a low s: Circle's contract refuses others
 */
export function signDigest(digest: Hex, key: Secret): Uint8Array {
  const signed = secp256k1.sign(hexToBytes(digest), hexToBytes(key.reveal() as Hex), {
    prehash: false,
    format: 'recovered',
  })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(signed, 'recovered')
  if (recovery === undefined) throw new Error('the signature has no recovery bit')
  return Buffer.concat([word(r), word(s), Buffer.from([27 + recovery])])
}

const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

/** Calldata that carries an authorization to its token. */
export function transferWithAuthorizationCall({ from, to, amount }: AuthorizedMove, of: Authorization): Hex {
  if (of.signature.length !== 65) throw new Error('the signature of an authorization has 65 bytes')
  const [r, s, v] = [
    hexOf(of.signature.subarray(0, 32)),
    hexOf(of.signature.subarray(32, 64)),
    of.signature[64] ?? 0,
  ]
  return encodeFunctionData({
    abi: eip3009Abi,
    functionName: 'transferWithAuthorization',
    args: [from as Address, to as Address, amount, validAfter, validBeforeOf(of), hexOf(of.nonce), v, r, s],
  })
}

export const authorizationStateCall = (holder: string, nonce: Uint8Array): Hex =>
  encodeFunctionData({
    abi: eip3009Abi,
    functionName: 'authorizationState',
    args: [holder as Address, hexOf(nonce)],
  })

export const domainSeparatorCall: Hex = encodeFunctionData({
  abi: eip3009Abi,
  functionName: 'DOMAIN_SEPARATOR',
})
