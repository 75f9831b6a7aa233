import { expect, test } from '@jest/globals'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { publicKeyToAddress } from 'viem/accounts'
import { bytesToHex } from 'viem/utils'
import { addressDigits, checksummedDigits } from './addressHash.ts'

test("the address of a key, and its checksum, match viem's", () => {
  const secret = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .filter((bytes) => secp256k1.utils.isValidSecretKey(bytes))
  fc.assert(
    fc.property(secret, (bytes) => {
      const publicKey = secp256k1.getPublicKey(bytes, false)
      expect(`0x${checksummedDigits(addressDigits(publicKey))}`).toBe(
        publicKeyToAddress(bytesToHex(publicKey)),
      )
    }),
  )
})
