/**
 * Checks signatures against an account's permissions. TRON developers, "Account Permission Management";
 * java-tron, TransactionCapsule.checkWeight.
 */
import { utils } from 'tronweb'
import { Refusal } from './errors.ts'
import { type ContractType, contractTypes, toBase58 } from './json.ts'
import { limits } from './parameters.ts'
import { accountOf, type Permission, type World } from './world.ts'

const sigError = (message: string) => new Refusal('SIGERROR', `Validate signature error: ${message}`)

/** Active permissions start at 2; 1 is a witness's. */
export const firstActiveId = 2

const defaultPermission = (owner: string, id: number): Permission =>
  id === 0
    ? { id, name: 'owner', type: 'Owner', threshold: 1, keys: [{ address: owner, weight: 1 }] }
    : { id, name: 'active', type: 'Active', threshold: 1, keys: [{ address: owner, weight: 1 }] }

/** The signer of `hash`. A signature is r, s and v (0, 1, 27 or 28); bytes beyond 65 are ignored. */
function signerOf(hash: string, signature: string): string {
  const body = signature.slice(0, 128)
  const v = Number.parseInt(signature.slice(128, 130), 16)
  const recovery = v < 27 ? v + 27 : v
  return utils.crypto.ecRecover(hash, body + recovery.toString(16)).toLowerCase()
}

/** @throws Refusal SIGERROR, with java-tron's messages */
export function checkSignatures(
  world: World,
  tx: { id: string; signatures: readonly string[] },
  by: { owner: string; permissionId: number; type: ContractType },
): void {
  const { owner, permissionId } = by
  if (tx.signatures.length === 0) throw sigError('miss sig or contract')
  if (tx.signatures.length > limits.signatures) throw sigError('too many signatures')
  const own = accountOf(world, owner)?.permissions
  const fallback =
    permissionId === 0 || permissionId === firstActiveId ? defaultPermission(owner, permissionId) : undefined
  const permission = own ? own.find(({ id }) => id === permissionId) : fallback
  if (!permission) throw sigError("permission isn't exit")
  if (permissionId !== 0 && !allows(permission, by.type)) throw sigError('Permission denied')
  if (tx.signatures.length > permission.keys.length)
    throw sigError(
      `Signature count is ${tx.signatures.length} more than key counts of permission : ${permission.keys.length}`,
    )
  let weight = 0
  const signers = new Set<string>()
  for (const signature of tx.signatures) {
    if (signature.length < limits.signatureBytes * 2)
      throw sigError(`Signature size is ${signature.length / 2}`)
    const signer = recover(tx.id, signature)
    const key = permission.keys.find(({ address }) => address === signer)
    if (!key)
      throw sigError(`${signature} is signed by ${toBase58(signer)} but it is not contained of permission.`)
    if (signers.has(signer)) throw sigError(`${toBase58(signer)} has signed twice!`)
    signers.add(signer)
    weight += key.weight
  }
  if (weight < permission.threshold) throw sigError('sig error')
}

function recover(id: string, signature: string): string {
  try {
    return signerOf(id, signature)
  } catch (error) {
    throw sigError(error instanceof Error ? error.message : String(error))
  }
}

/** `operations` has one bit per contract type's number, starting at the lowest bit of the first byte. */
function allows(permission: Permission, type: ContractType): boolean {
  if (permission.operations === undefined) return true
  const number = Number(Object.entries(contractTypes).find(([, name]) => name === type)?.[0])
  const byte = Number.parseInt(permission.operations.slice(Math.floor(number / 8) * 2).slice(0, 2), 16)
  return ((byte >> (number % 8)) & 1) === 1
}
