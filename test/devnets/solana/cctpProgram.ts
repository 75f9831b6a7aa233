import {
  assemble,
  both,
  by,
  jump,
  jumpIf,
  jumpOn,
  type Line,
  label,
  load,
  loadByte,
  move,
  plus,
  set,
  store,
  storeByte,
} from './assemble.ts'
import { offset, pointers, readAccounts } from './poolProgram.ts'
import { elf, infos, metaSize, op } from './sbpf.ts'

/**
 * A program that runs a script: its steps are in the data of one of its accounts, which the devnet writes
 * before a transaction and takes back afterwards (`cctpRun.ts`). So the devnet decides as Circle's programs
 * do, and the effects, inner instructions and failures are the engine's.
 */
export const scriptedProgram = (magic: bigint): Uint8Array => elf(assemble(lines(magic)))

const invoked = 1n
const failed = 2n
const closed = 3n
/** A seed of an address has at most 32 bytes. */
const seedBytes = 32

export interface Step {
  /** Places among the accounts of the instruction. */
  program: number
  accounts: readonly { index: number; writable?: boolean; signer?: boolean }[]
  data: Uint8Array
  /** Of the address that signs. */
  seeds?: readonly Uint8Array[]
}

/** Runs these instructions in their order. */
export const scriptOf = (magic: bigint, steps: readonly Step[]): Uint8Array =>
  bytes([magic], ...steps.map(stepBytes), [0n])
/** Fails with a code of the program's own. */
export const failing = (magic: bigint, code: number): Uint8Array => bytes([magic, failed, BigInt(code)])
/** Closes an account of the program; its lamports go to another one. */
export const closing = (magic: bigint, account: number, to: number): Uint8Array =>
  bytes([magic, closed, BigInt(account), BigInt(to), 0n])

function stepBytes({ program, accounts, data, seeds = [] }: Step): (bigint | Uint8Array)[] {
  const flags = accounts.map(({ index, writable = false, signer = false }) =>
    BigInt(index | (Number(writable) << 8) | (Number(signer) << 16)),
  )
  const padded = (part: Uint8Array, length: number) =>
    Uint8Array.from(Buffer.concat([part, Buffer.alloc(length - part.length)]))
  return [
    ...[invoked, BigInt(program), BigInt(flags.length), ...flags],
    ...[BigInt(data.length), padded(data, Math.ceil(data.length / 8) * 8)],
    ...[BigInt(seeds.length), ...seeds.flatMap((seed) => [BigInt(seed.length), padded(seed, seedBytes)])],
  ]
}

function bytes(...parts: readonly (bigint | Uint8Array)[][]): Uint8Array {
  const word = (value: bigint) => {
    const buffer = Buffer.alloc(8)
    buffer.writeBigUInt64LE(value)
    return buffer
  }
  return Uint8Array.from(
    Buffer.concat(parts.flat().map((each) => (typeof each === 'bigint' ? word(each) : each))),
  )
}

/** Places in the scratch memory. */
const at = { metas: 0x100, instruction: 0x600, signer: 0x700, seeds: 0x740 }
const exit: Line = [[op.exit, 0, 0, 0, 0n]]
/** Register `to` points to the account whose place is in register `from`. */
const accountAt = (to: number, from: number): Line[] => [
  ...[
    move(to, from),
    by(op.multiplyImmediate, to, 8),
    set(0, pointers),
    both(op.add, to, 0),
    load(to, to, 0),
  ],
]

/**
 * Registers: 7 counts the accounts, 8 walks through the script, 9 is the scratch memory that `readAccounts`
 * sets.
 */
const lines = (magic: bigint): Line[] => [
  ...readAccounts(),
  ...[set(8, pointers), by(op.movImmediate, 5, 0), set(3, magic)],
  label('find'),
  jumpIf(op.jumpIfEqual, 5, 7, 'no script'),
  ...[load(1, 8, 0), load(2, 1, offset.data), jumpIf(op.jumpIfEqual, 2, 3, 'found'), plus(8, 8), plus(5, 1)],
  jump('find'),
  label('found'),
  ...[move(8, 1), plus(8, offset.data + 8)],
  label('step'),
  ...[load(2, 8, 0), plus(8, 8)],
  jumpOn(op.jumpIfEqualImmediate, 2, 0, 'done'),
  jumpOn(op.jumpIfEqualImmediate, 2, Number(failed), 'fail'),
  jumpOn(op.jumpIfEqualImmediate, 2, Number(closed), 'close'),
  ...[load(3, 8, 0), ...accountAt(4, 3), plus(4, offset.key), store(9, at.instruction, 4)],
  ...[load(5, 8, 8), store(9, at.instruction + 16, 5), plus(8, 16)],
  ...[move(4, 9), plus(4, at.metas), store(9, at.instruction + 8, 4)],
  label('metas'),
  jumpOn(op.jumpIfEqualImmediate, 5, 0, 'data'),
  ...[loadByte(3, 8, 0), ...accountAt(2, 3), plus(2, offset.key), store(4, 0, 2)],
  ...[loadByte(2, 8, 1), storeByte(4, 8, 2), loadByte(2, 8, 2), storeByte(4, 9, 2)],
  ...[plus(8, 8), plus(4, metaSize), plus(5, -1)],
  jump('metas'),
  label('data'),
  ...[load(2, 8, 0), store(9, at.instruction + 32, 2), plus(8, 8), store(9, at.instruction + 24, 8)],
  ...[plus(2, 7), by(op.andImmediate, 2, -8), both(op.add, 8, 2)],
  ...[
    load(5, 8, 0),
    plus(8, 8),
    move(4, 9),
    plus(4, at.seeds),
    store(9, at.signer, 4),
    store(9, at.signer + 8, 5),
    move(6, 5),
  ],
  label('seeds'),
  jumpOn(op.jumpIfEqualImmediate, 5, 0, 'invoke'),
  ...[load(2, 8, 0), store(4, 8, 2), move(3, 8), plus(3, 8), store(4, 0, 3)],
  ...[plus(8, 8 + seedBytes), plus(4, 16), plus(5, -1)],
  jump('seeds'),
  label('invoke'),
  ...[
    move(1, 9),
    plus(1, at.instruction),
    set(2, infos),
    move(3, 7),
    move(4, 9),
    plus(4, at.signer),
    by(op.movImmediate, 5, 1),
  ],
  ...[jumpOn(op.jumpUnlessImmediate, 6, 0, 'signed'), by(op.movImmediate, 5, 0)],
  label('signed'),
  [[op.call, 0, 0, 0, -1n]],
  jumpOn(op.jumpIfEqualImmediate, 0, 0, 'step'),
  exit,
  label('close'),
  ...[load(3, 8, 0), ...accountAt(1, 3), load(3, 8, 8), ...accountAt(2, 3)],
  ...[
    load(3, 1, offset.lamports),
    load(4, 2, offset.lamports),
    both(op.add, 4, 3),
    store(2, offset.lamports, 4),
  ],
  ...[by(op.movImmediate, 3, 0), store(1, offset.lamports, 3)],
  label('done'),
  ...[by(op.movImmediate, 0, 0), exit],
  label('fail'),
  ...[load(0, 8, 0), exit],
  label('no script'),
  // As an instruction that a program does not have (Anchor's `InstructionFallbackNotFound`).
  ...[by(op.movImmediate, 0, 101), exit],
]
