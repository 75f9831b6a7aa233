import { token2022Program, tokenProgram, tokenPrograms, uiTokenAmount } from './tokens.ts'

/** An instruction parsed for `jsonParsed`. */
export interface ParsedInstruction {
  program: string
  parsed: { type: string; info: Record<string, unknown> } | string
}

const systemProgram = '11111111111111111111111111111111'
const memoPrograms: readonly string[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]

/**
 * Discriminators of instructions (solana-program: `SystemInstruction`, `TokenInstruction`,
 * `TransferFeeInstruction`).
 */
const systemTransfer = 2
const tokenTransfer = 3
const tokenTransferChecked = 12
const transferFeeExtension = 26
const transferCheckedWithFee = 1

/**
 * Parses transfers and memos; null for others, which are served as accounts and bytes, as for programs the
 * node does not know.
 */
export function parseInstruction(
  program: string,
  accounts: readonly string[],
  data: Uint8Array,
): ParsedInstruction | null {
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  if (memoPrograms.includes(program)) return { program: 'spl-memo', parsed: new TextDecoder().decode(data) }
  if (program === systemProgram && data.length >= 12 && view.getUint32(0, true) === systemTransfer) {
    const [source, destination] = accounts
    return {
      program: 'system',
      parsed: {
        type: 'transfer',
        info: { source, destination, lamports: Number(view.getBigUint64(4, true)) },
      },
    }
  }
  if (!tokenPrograms.some((each) => each === program)) return null
  const name = program === tokenProgram ? 'spl-token' : 'spl-token-2022'
  if (data[0] === tokenTransfer && data.length === 9) {
    const [source, destination, ...authorities] = accounts
    return {
      program: name,
      parsed: {
        type: 'transfer',
        info: { source, destination, ...authority(authorities), amount: String(view.getBigUint64(1, true)) },
      },
    }
  }
  const [source, mint, destination, ...authorities] = accounts
  const parties = { source, mint, destination, ...authority(authorities) }
  if (data[0] === tokenTransferChecked && data.length === 10) {
    const tokenAmount = uiTokenAmount(view.getBigUint64(1, true), data[9] ?? 0)
    return { program: name, parsed: { type: 'transferChecked', info: { ...parties, tokenAmount } } }
  }
  if (
    program === token2022Program &&
    data[0] === transferFeeExtension &&
    data[1] === transferCheckedWithFee
  ) {
    const decimals = data[10] ?? 0
    const amounts = {
      tokenAmount: uiTokenAmount(view.getBigUint64(2, true), decimals),
      feeAmount: uiTokenAmount(view.getBigUint64(11, true), decimals),
    }
    return { program: name, parsed: { type: 'transferCheckedWithFee', info: { ...parties, ...amounts } } }
  }
  return null
}

/** One owner, or a multisig account and its signers. */
function authority([first, ...signers]: readonly string[]): Record<string, unknown> {
  return signers.length > 0 ? { multisigAuthority: first, signers } : { authority: first }
}
