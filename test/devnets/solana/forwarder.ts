import { type PublicKey, TransactionInstruction } from '@solana/web3.js'
import {
  elf,
  growth,
  heap,
  type Instruction,
  infoSize,
  infos,
  metaSize,
  metas,
  notRepeated,
  op,
} from './sbpf.ts'

/**
 * A program that forwards its instruction data and accounts to the program in its last account. A transfer
 * sent through it is an inner instruction (a cross-program invocation), invisible in the message's own
 * instructions. Assembled here, so that tests need no Rust.
 */
export const forwarderProgram = (): Uint8Array => elf(code())

/** `instruction` as an inner one: the message names only the forwarder. No account may occur twice in it. */
export const throughForwarder = (
  forwarder: PublicKey,
  instruction: TransactionInstruction,
): TransactionInstruction =>
  new TransactionInstruction({
    programId: forwarder,
    keys: [...instruction.keys, { pubkey: instruction.programId, isSigner: false, isWritable: false }],
    data: instruction.data,
  })

/**
 * The bytecode. Registers: 1 is the input (the count of accounts, the accounts in sequence, the data), 5
 * counts accounts, 6 walks through the input, 7 is the count of accounts, 8 and 9 walk through the metas and
 * infos for `sol_invoke_signed_c`.
 */
function code(): readonly Instruction[] {
  const load = (to: number, from: number, offset: number): Instruction => [op.ldxdw, to, from, offset, 0n]
  const loadByte = (to: number, from: number, offset: number): Instruction => [op.ldxb, to, from, offset, 0n]
  const store = (to: number, offset: number, from: number): Instruction => [op.stxdw, to, from, offset, 0n]
  const storeByte = (to: number, offset: number, from: number): Instruction => [op.stxb, to, from, offset, 0n]
  const move = (to: number, from: number): Instruction => [op.mov, to, from, 0, 0n]
  const set = (to: number, value: bigint): readonly Instruction[] => [
    [op.lddw, to, 0, 0, value & 0xffff_ffffn],
    [0, 0, 0, 0, value >> 32n],
  ]
  const plus = (to: number, value: number): Instruction => [op.addImmediate, to, 0, 0, BigInt(value)]
  const pointer = (offset: number, register: number): readonly Instruction[] => [
    move(3, 6),
    plus(3, offset),
    ...[store(9, register, 3)],
  ]

  const account: readonly Instruction[] = [
    ...pointer(8, 0),
    store(8, 0, 3),
    loadByte(2, 6, 2),
    storeByte(8, 8, 2),
    storeByte(9, 49, 2),
    loadByte(2, 6, 1),
    storeByte(8, 9, 2),
    storeByte(9, 48, 2),
    loadByte(2, 6, 3),
    storeByte(9, 50, 2),
    ...pointer(72, 8),
    load(4, 6, 80),
    store(9, 16, 4),
    ...pointer(88, 24),
    ...pointer(40, 32),
    plus(6, 88 + growth + 7),
    [op.add, 6, 4, 0, 0n],
    [op.andImmediate, 6, 0, 0, -8n],
    load(2, 6, 0),
    store(9, 40, 2),
    plus(6, 8),
    plus(8, metaSize),
    plus(9, infoSize),
    plus(5, 1),
  ]
  const invoke: readonly Instruction[] = [
    ...set(1, heap),
    load(2, 9, -infoSize),
    store(1, 0, 2),
    ...set(3, metas),
    store(1, 8, 3),
    move(4, 7),
    plus(4, -1),
    store(1, 16, 4),
    load(4, 6, 0),
    store(1, 32, 4),
    plus(6, 8),
    store(1, 24, 6),
    ...set(2, infos),
    move(3, 7),
    [op.movImmediate, 4, 0, 0, 0n],
    [op.movImmediate, 5, 0, 0, 0n],
    [op.call, 0, 0, 0, -1n],
    [op.exit, 0, 0, 0, 0n],
  ]
  // Jumps count from the next instruction: the loop is its three control instructions plus the account's.
  const loop: readonly Instruction[] = [
    [op.jumpIfEqual, 5, 7, account.length + 3, 0n],
    loadByte(2, 6, 0),
    [op.jumpUnlessImmediate, 2, 0, account.length + 1 + invoke.length, BigInt(notRepeated)],
    ...account,
    [op.jump, 0, 0, -(account.length + 4), 0n],
  ]
  return [
    load(7, 1, 0),
    move(6, 1),
    plus(6, 8),
    ...set(8, metas),
    ...set(9, infos),
    [op.movImmediate, 5, 0, 0, 0n],
    ...loop,
    ...invoke,
    [op.movImmediate, 0, 0, 0, 1n],
    [op.exit, 0, 0, 0, 0n],
  ]
}
