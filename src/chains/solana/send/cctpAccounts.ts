import { PublicKey } from '@solana/web3.js'
import type { MessageHex } from '../../cctpMessage.ts'
import type { Cctp } from '../../registry.ts'

/**
 * Accounts of Circle's programs, which follow from their seeds (circlefin/solana-cctp-contracts,
 * `programs/v2`).
 */
export interface CctpAccounts {
  transmitter: PublicKey
  messenger: PublicKey
  /** States of the programs. */
  transmitterState: PublicKey
  messengerState: PublicKey
  minter: PublicKey
  senderAuthority: PublicKey
  receiverAuthority: PublicKey
  messengerEvents: PublicKey
  transmitterEvents: PublicKey
  localToken(mint: PublicKey): PublicKey
  custody(mint: PublicKey): PublicKey
  denylisted(owner: PublicKey): PublicKey
  remoteMessenger(domain: number): PublicKey
  tokenPair(domain: number, remoteToken: MessageHex): PublicKey
  /** Exists once the message with this nonce was used. */
  usedNonce(nonce: MessageHex): PublicKey
}

export function cctpAccounts({
  tokenMessenger,
  messageTransmitter,
}: Pick<Cctp, 'tokenMessenger' | 'messageTransmitter'>): CctpAccounts {
  const [messenger, transmitter] = [new PublicKey(tokenMessenger), new PublicKey(messageTransmitter)]
  const derive = (program: PublicKey, name: string, ...more: Uint8Array[]) =>
    PublicKey.findProgramAddressSync([Buffer.from(name), ...more], program)[0]
  return {
    transmitter,
    messenger,
    transmitterState: derive(transmitter, 'message_transmitter'),
    messengerState: derive(messenger, 'token_messenger'),
    minter: derive(messenger, 'token_minter'),
    senderAuthority: derive(messenger, 'sender_authority'),
    receiverAuthority: derive(transmitter, 'message_transmitter_authority', messenger.toBytes()),
    messengerEvents: derive(messenger, '__event_authority'),
    transmitterEvents: derive(transmitter, '__event_authority'),
    localToken: (mint) => derive(messenger, 'local_token', mint.toBytes()),
    custody: (mint) => derive(messenger, 'custody', mint.toBytes()),
    denylisted: (owner) => derive(messenger, 'denylist_account', owner.toBytes()),
    // The number in decimal digits.
    remoteMessenger: (domain) => derive(messenger, 'remote_token_messenger', Buffer.from(String(domain))),
    tokenPair: (domain, remoteToken) =>
      derive(messenger, 'token_pair', Buffer.from(String(domain)), bytesOf(remoteToken)),
    usedNonce: (nonce) => derive(transmitter, 'used_nonce', bytesOf(nonce)),
  }
}

export const bytesOf = (text: MessageHex): Buffer => Buffer.from(text.slice(2), 'hex')
