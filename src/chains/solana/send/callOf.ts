import type { TransactionInstruction } from '@solana/web3.js'
import type { Call } from '../../action.ts'

/** The call of an instruction that a library built. */
export const callOf = ({ programId, data, keys }: TransactionInstruction): Call => ({
  to: programId.toBase58(),
  data: data.toString('base64'),
  value: 0n,
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    signer: isSigner,
    writable: isWritable,
  })),
})
