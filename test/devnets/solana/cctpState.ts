import { AccountLayout, getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey, SystemProgram } from '@solana/web3.js'
import type { LiteSVM } from 'litesvm'
import { scriptedProgram } from './cctpProgram.ts'
import { devnetKeys, keyOf } from './keys.ts'
import { put } from './pools.ts'

/**
 * Circle's programs of CCTP v2, and their accounts by its published IDL (circlefin/solana-cctp-contracts).
 * Shares no code with our client.
 */
export const messageTransmitter = new PublicKey('CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC')
export const tokenMessenger = new PublicKey('CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe')
/** First values of the scripts of both. */
export const magics = { transmitter: 0x7472616e736d6974n, messenger: 0x6d657373656e6765n }

export const localDomain = 5
export const version = 1
/** Base units, as on the EVM devnets. */
export const burnLimit = 10_000_000_000_000n
const plenty = 10n ** 15n
const rent = 10_000_000n

type Seed = string | PublicKey | Uint8Array
const seedOf = (seed: Seed): Uint8Array => {
  if (typeof seed === 'string') return Buffer.from(seed)
  return seed instanceof PublicKey ? seed.toBytes() : seed
}

/** An address that a program signs for. */
export interface Derived {
  address: PublicKey
  /** With its bump. */
  seeds: readonly Uint8Array[]
}

export function derive(program: PublicKey, ...seeds: readonly Seed[]): Derived {
  const parts = seeds.map(seedOf)
  const [address, bump] = PublicKey.findProgramAddressSync(parts, program)
  return { address, seeds: [...parts, Uint8Array.of(bump)] }
}

const usdc = devnetKeys.usdc.publicKey
export const feeRecipient = keyOf('fees of circle').publicKey
export const pdas = {
  senderAuthority: derive(tokenMessenger, 'sender_authority'),
  transmitterState: derive(messageTransmitter, 'message_transmitter'),
  messengerState: derive(tokenMessenger, 'token_messenger'),
  minter: derive(tokenMessenger, 'token_minter'),
  localToken: derive(tokenMessenger, 'local_token', usdc),
  custody: derive(tokenMessenger, 'custody', usdc),
  receiverAuthority: derive(messageTransmitter, 'message_transmitter_authority', tokenMessenger),
  messengerEvents: derive(tokenMessenger, '__event_authority'),
  transmitterEvents: derive(messageTransmitter, '__event_authority'),
}
export const feeAccount = getAssociatedTokenAddressSync(usdc, feeRecipient)
export const remoteMessenger = (domain: number): PublicKey =>
  derive(tokenMessenger, 'remote_token_messenger', String(domain)).address
export const tokenPair = (domain: number, token: Uint8Array): PublicKey =>
  derive(tokenMessenger, 'token_pair', String(domain), token).address
export const usedNonce = (nonce: Uint8Array): Derived => derive(messageTransmitter, 'used_nonce', nonce)
export const denylisted = (owner: PublicKey): PublicKey =>
  derive(tokenMessenger, 'denylist_account', owner).address

/** First bytes of accounts (the IDL's `accounts`). */
export const discriminators = {
  messageSent: '83648538a6e1973c',
  transmitter: '4728b48e13cb23fc',
  usedNonce: 'd4de9dfc8247b3ee',
  localToken: '9f833aaac15480b6',
  remoteMessenger: '6973ae225fe98afc',
  messenger: 'a204f23493f3dd60',
  minter: '7a85543f399fabce',
  pair: '11d62db0e595c547',
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
export const integers = { u32, u64 }
const none = Buffer.alloc(32)
const state = (kind: keyof typeof discriminators, ...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(Buffer.concat([Buffer.from(discriminators[kind], 'hex'), ...parts]))

/** A chain that exchanges USDC with this one. Fields of 32 bytes in hex. */
export interface Peer {
  domain: number
  tokenMessenger: string
  usdc: string
}

/**
 * Puts both programs with their state on a chain, and links it with others. What is there is written again.
 * @param attesters their addresses
 */
export function openCctp(svm: LiteSVM, attesters: readonly string[], peers: readonly Peer[]): void {
  svm.addProgram(messageTransmitter.toBase58() as never, scriptedProgram(magics.transmitter))
  svm.addProgram(tokenMessenger.toBase58() as never, scriptedProgram(magics.messenger))
  const words = attesters.map((each) => Buffer.concat([Buffer.alloc(12), Buffer.from(each.slice(2), 'hex')]))
  const [flag, numbers] = [
    Buffer.alloc(1),
    [u32(localDomain), u32(version), u32(words.length), u32(words.length)],
  ]
  const transmitter = state('transmitter', none, none, none, none, flag, ...numbers, ...words, u64(8192n))
  put(svm, pdas.transmitterState.address, messageTransmitter, transmitter, rent)
  const bump = (derived: Derived) => derived.seeds.at(-1) ?? none
  const messenger = state(
    'messenger',
    none,
    none,
    none,
    u32(version),
    bump(pdas.senderAuthority),
    feeRecipient.toBytes(),
    none,
    u32(0),
  )
  put(svm, pdas.messengerState.address, tokenMessenger, messenger, rent)
  put(svm, pdas.minter.address, tokenMessenger, state('minter', none, none, flag, bump(pdas.minter)), rent)
  const totals = Buffer.alloc(8 + 8 + 16 + 16)
  const local = [
    pdas.custody.address.toBytes(),
    usdc.toBytes(),
    u64(burnLimit),
    totals,
    bump(pdas.localToken),
    bump(pdas.custody),
  ]
  put(svm, pdas.localToken.address, tokenMessenger, state('localToken', ...local), rent)
  for (const [address, owner, amount] of [
    [pdas.custody.address, pdas.minter.address, plenty],
    [feeAccount, feeRecipient, 0n],
  ] as const) {
    const isThere = svm.getAccount(address.toBase58() as never).exists
    if (!isThere) put(svm, address, TOKEN_PROGRAM_ID, holding(owner, amount), rent)
  }
  for (const { domain, tokenMessenger: messengerWord, usdc: token } of peers) {
    const [peer, remote] = [messengerWord, token].map((word) => Buffer.from(word.slice(2), 'hex')) as [
      Buffer,
      Buffer,
    ]
    put(svm, remoteMessenger(domain), tokenMessenger, state('remoteMessenger', u32(domain), peer), rent)
    const pair = state('pair', u32(domain), remote, pdas.localToken.address.toBytes(), Buffer.alloc(1))
    put(svm, tokenPair(domain, remote), tokenMessenger, pair, rent)
  }
  put(svm, cctpTable, new PublicKey('AddressLookupTab1e1111111111111111111111111'), table(peers), rent)
}

function holding(owner: PublicKey, amount: bigint): Uint8Array {
  const data = Buffer.alloc(AccountLayout.span)
  const absent = {
    delegateOption: 0 as const,
    delegate: PublicKey.default,
    delegatedAmount: 0n,
    isNativeOption: 0 as const,
    isNative: 0n,
  }
  AccountLayout.encode(
    {
      mint: usdc,
      owner,
      amount,
      state: 1,
      ...absent,
      closeAuthorityOption: 0,
      closeAuthority: PublicKey.default,
    },
    data,
  )
  return Uint8Array.from(data)
}

/** A lookup table of what every mint names, as an operator makes one. */
export const cctpTable = keyOf('lookup table of cctp').publicKey

function table(peers: readonly Peer[]): Uint8Array {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1, 0)
  head.writeBigUInt64LE(2n ** 64n - 1n, 4)
  const entries = [
    ...[messageTransmitter, tokenMessenger, usdc, TOKEN_PROGRAM_ID, SystemProgram.programId, feeAccount],
    ...Object.values(pdas).map(({ address }) => address),
    ...peers.flatMap(({ domain, usdc: token }) => [
      remoteMessenger(domain),
      tokenPair(domain, Buffer.from(token.slice(2), 'hex')),
    ]),
  ]
  return Uint8Array.from(Buffer.concat([head, ...entries.map((each) => each.toBuffer())]))
}
