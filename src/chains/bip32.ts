import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'

/** The uncompressed public key (65 bytes) of a branch's child under a seed; private keys are wiped. */
export function childPublicKey(seed: Uint8Array, branchPath: string, index: number): Uint8Array {
  requireIndex(index)
  const node = branchOf(seed, branchPath).deriveChild(index)
  if (!node.publicKey) throw new Error(`no key at ${branchPath}/${index}`)
  const uncompressed = secp256k1.Point.fromBytes(node.publicKey).toBytes(false)
  node.wipePrivateData()
  return uncompressed
}

/** @throws RangeError if the index is not valid in a path */
export function requireIndex(index: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31)
    throw new RangeError(`${index} is not a valid address index: use 0 to 2147483647`)
}

// A batch derives thousands of children: derive the branch's hardened steps once per seed.
const branches = new WeakMap<Uint8Array, Map<string, HDKey>>()
function branchOf(seed: Uint8Array, path: string): HDKey {
  const known = branches.get(seed) ?? new Map<string, HDKey>()
  branches.set(seed, known)
  const branch = known.get(path) ?? HDKey.fromMasterSeed(seed).derive(path)
  known.set(path, branch)
  return branch
}
