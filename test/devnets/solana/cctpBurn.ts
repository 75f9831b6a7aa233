import { TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey, SystemProgram } from '@solana/web3.js'
import {
  anchor,
  type CctpEffect,
  type CctpInstruction,
  type CctpView,
  creating,
  messengerErrors,
  minterErrors,
  Refused,
  require,
  requireAccounts,
} from './cctpChecks.ts'
import { type Step, scriptOf } from './cctpProgram.ts'
import {
  denylisted,
  discriminators,
  integers,
  localDomain,
  magics,
  messageTransmitter,
  pdas,
  remoteMessenger,
  tokenMessenger,
  version,
} from './cctpState.ts'

const usdcOf = (view: CctpView): PublicKey =>
  new PublicKey(view.data(pdas.localToken.address)?.subarray(40, 72) ?? [])

const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const bigEndian = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** `deposit_for_burn`, and `deposit_for_burn_with_hook`. */
export function burn(view: CctpView, instruction: CctpInstruction, hooked: boolean): CctpEffect {
  const { accounts, data } = instruction
  const usdc = usdcOf(view)
  const [owner, payer, , source, , , , , , , , event] = accounts.map(({ address }) => address)
  require(data.length >= 96 + (hooked ? 4 : 0), 102)
  const domain = data.readUInt32LE(16)
  if (!owner || !payer || !source || !event) throw new Refused(3005)
  requireAccounts(instruction, [
    ...([
      [null, 's'],
      [null, 'sw'],
      [pdas.senderAuthority.address, ''],
      [null, 'w'],
      [denylisted(owner), ''],
    ] as const),
    ...([
      [pdas.transmitterState.address, 'w'],
      [pdas.messengerState.address, ''],
      [remoteMessenger(domain), ''],
    ] as const),
    ...([
      [pdas.minter.address, ''],
      [pdas.localToken.address, 'w'],
      [usdc, 'w'],
      [null, 'sw'],
    ] as const),
    ...([
      [messageTransmitter, ''],
      [tokenMessenger, ''],
      [TOKEN_PROGRAM_ID, ''],
      [SystemProgram.programId, ''],
    ] as const),
    ...([
      [pdas.messengerEvents.address, ''],
      [tokenMessenger, ''],
    ] as const),
  ])
  const account = view.data(source)
  require(account !== null && account.length >= 165, anchor.notInitialized)
  require(account?.subarray(0, 32).equals(usdc.toBuffer()) ?? false, anchor.raw)
  require(account?.subarray(32, 64).equals(owner.toBuffer()) ?? false, anchor.owner)
  const remote = view.data(remoteMessenger(domain))
  if (!remote) throw new Refused(anchor.notInitialized)
  const hook = hooked ? data.subarray(100, 100 + data.readUInt32LE(96)) : Buffer.alloc(0)
  require(!hooked || hook.length > 0, messengerErrors.hook)
  const [amount, maxFee] = [data.readBigUInt64LE(8), data.readBigUInt64LE(84)]
  require(amount > 0n, messengerErrors.amount)
  require((view.data(denylisted(owner))?.length ?? 0) === 0, messengerErrors.denylisted)
  require(data.subarray(20, 52).some((byte) => byte !== 0), messengerErrors.mintRecipient)
  require(amount > maxFee, messengerErrors.maxFee)
  const limit = view.data(pdas.localToken.address)?.readBigUInt64LE(72) ?? 0n
  require(limit >= amount, minterErrors.burnLimit)
  const body = [
    bigEndian(version),
    usdc.toBuffer(),
    data.subarray(20, 52),
    word(amount),
    owner.toBuffer(),
    word(maxFee),
    word(0n),
    word(0n),
    hook,
  ]
  const route = [
    bigEndian(version),
    bigEndian(localDomain),
    bigEndian(domain),
    Buffer.alloc(32),
    tokenMessenger.toBuffer(),
    remote.subarray(12, 44),
  ]
  const message = Buffer.concat([
    ...route,
    data.subarray(52, 84),
    bigEndian(data.readUInt32LE(92)),
    bigEndian(0),
    ...body,
  ])
  const created = Buffer.alloc(8)
  created.writeBigInt64LE(view.time)
  const head = [
    Buffer.from(discriminators.messageSent, 'hex'),
    payer.toBuffer(),
    created,
    integers.u32(message.length),
  ]
  const written = Buffer.concat([...head, message])
  const send: Step = {
    program: 12,
    accounts: [
      ...[
        { index: 1, writable: true, signer: true },
        { index: 2, signer: true },
        { index: 5, writable: true },
      ],
      ...[{ index: 11, writable: true, signer: true }, { index: 13 }, { index: 15 }],
    ],
    data: Buffer.concat([Buffer.from('392822b2bd0a411a', 'hex'), integers.u32(domain)]),
    seeds: pdas.senderAuthority.seeds,
  }
  const burnt: Step = {
    program: 14,
    accounts: [
      { index: 3, writable: true },
      { index: 10, writable: true },
      { index: 0, signer: true },
    ],
    data: Buffer.concat([Buffer.of(8), integers.u64(amount)]),
  }
  const opened: Step = {
    program: 5,
    accounts: [
      { index: 0, writable: true, signer: true },
      { index: 3, writable: true, signer: true },
    ],
    data: creating(view, written.length),
  }
  return {
    scripts: [
      { address: pdas.messengerState.address, script: scriptOf(magics.messenger, [burnt, send]) },
      { address: pdas.transmitterState.address, script: scriptOf(magics.transmitter, [opened]) },
    ],
    writes: [{ address: event, data: Uint8Array.from(written) }],
  }
}
