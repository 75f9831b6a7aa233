import { TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { SystemProgram } from '@solana/web3.js'
import { toHex } from 'viem'
import {
  anchor,
  type CctpEffect,
  type CctpInstruction,
  type CctpView,
  creating,
  errors,
  messengerErrors,
  Refused,
  require,
  requireAccounts,
  requireAttested,
  twoTexts,
} from './cctpChecks.ts'
import { failing, type Step, scriptOf } from './cctpProgram.ts'
import {
  discriminators,
  feeAccount,
  integers,
  localDomain,
  magics,
  messageTransmitter,
  pdas,
  remoteMessenger,
  tokenMessenger,
  tokenPair,
  usedNonce,
  version,
} from './cctpState.ts'

/** `receive_message`. */
export function receive(view: CctpView, instruction: CctpInstruction): CctpEffect {
  const { accounts, data } = instruction
  const [message, attestation] = twoTexts(data)
  const nonce = usedNonce(message.subarray(12, 44))
  requireAccounts(instruction, [
    ...([
      [null, 'sw'],
      [null, 's'],
      [pdas.receiverAuthority.address, ''],
      [pdas.transmitterState.address, ''],
    ] as const),
    ...([
      [nonce.address, 'w'],
      [tokenMessenger, ''],
      [SystemProgram.programId, ''],
    ] as const),
    ...([
      [pdas.transmitterEvents.address, ''],
      [messageTransmitter, ''],
    ] as const),
  ])
  require(message.length >= 148, errors.malformed)
  require(message.readUInt32BE(0) === version, errors.messageVersion)
  requireAttested(view, message, attestation)
  require(message.readUInt32BE(8) === localDomain, errors.destinationDomain)
  const caller = message.subarray(108, 140)
  const isCaller = accounts[1]?.address.toBuffer().equals(caller) ?? false
  require(caller.every((byte) => byte === 0) || isCaller, errors.callers)
  require(message.subarray(76, 108).equals(tokenMessenger.toBuffer()), errors.recipientProgram)
  const opened: Step = {
    program: 6,
    accounts: [
      { index: 0, writable: true, signer: true },
      { index: 4, writable: true, signer: true },
    ],
    data: creating(view, 9),
    seeds: nonce.seeds,
  }
  const handled: Step = {
    program: 5,
    accounts: [
      { index: 2, signer: true },
      ...accounts.slice(9).map(({ writable }, i) => ({ index: 9 + i, writable })),
    ],
    data: Buffer.from(message.readUInt32BE(144) < 2000 ? 'handle unfinalized' : 'handle finalized'),
    seeds: pdas.receiverAuthority.seeds,
  }
  return {
    scripts: [
      { address: pdas.transmitterState.address, script: scriptOf(magics.transmitter, [opened, handled]) },
      { address: pdas.messengerState.address, script: minting(view, instruction, message) },
    ],
    writes: [
      { address: nonce.address, data: Uint8Array.from([...Buffer.from(discriminators.usedNonce, 'hex'), 1]) },
    ],
  }
}

/** The messenger's part of a mint: out of its custody to the recipient, and the fee. */
function minting(view: CctpView, instruction: CctpInstruction, message: Buffer): Uint8Array {
  try {
    const steps = mintSteps(view, instruction, message)
    return scriptOf(magics.messenger, steps)
  } catch (error) {
    if (error instanceof Refused) return failing(magics.messenger, error.code)
    throw error
  }
}

function mintSteps(view: CctpView, instruction: CctpInstruction, message: Buffer): Step[] {
  const domain = message.readUInt32BE(4)
  const body = message.subarray(148)
  require(body.length >= 228, messengerErrors.messenger)
  require(body.readUInt32BE(0) === version, messengerErrors.bodyVersion)
  const pair = tokenPair(domain, body.subarray(4, 36))
  requireAccounts(
    instruction,
    [
      ...([
        [pdas.messengerState.address, ''],
        [remoteMessenger(domain), ''],
        [pdas.minter.address, ''],
      ] as const),
      ...([
        [pdas.localToken.address, 'w'],
        [pair, ''],
        [feeAccount, 'w'],
        [null, 'w'],
      ] as const),
      ...([
        [pdas.custody.address, 'w'],
        [TOKEN_PROGRAM_ID, ''],
        [pdas.messengerEvents.address, ''],
        [tokenMessenger, ''],
      ] as const),
    ],
    9,
  )
  const remote = view.data(remoteMessenger(domain))
  require(remote !== null && view.data(pair) !== null, anchor.notInitialized)
  require(message.readUInt32BE(144) >= 500, messengerErrors.finality)
  require(remote?.subarray(12, 44).equals(message.subarray(44, 76)) ?? false, messengerErrors.messenger)
  const number = (at: number) => BigInt(toHex(Uint8Array.from(body.subarray(at, at + 32))))
  const [amount, maxFee, fee, expiration] = [number(68), number(132), number(164), number(196)]
  require(expiration === 0n || expiration > view.slot, messengerErrors.expired)
  require(fee < amount, messengerErrors.feeAmount)
  require(fee <= maxFee, messengerErrors.feeMax)
  require(instruction.accounts[15]?.address.toBuffer().equals(body.subarray(36, 68)) ??
    false, messengerErrors.mintRecipient)
  // Among the accounts of the inner instruction.
  const [minter, feeTo, recipient, custody, token] = [3, 6, 7, 8, 9]
  const moved = (to: number, units: bigint): Step => ({
    program: token,
    accounts: [
      { index: custody, writable: true },
      { index: to, writable: true },
      { index: minter, signer: true },
    ],
    data: Buffer.concat([Buffer.of(3), integers.u64(units)]),
    seeds: pdas.minter.seeds,
  })
  return [...(fee > 0n ? [moved(feeTo, fee)] : []), moved(recipient, amount - fee)]
}
