import { type PublicKey, TransactionInstruction } from '@solana/web3.js'

/**
 * A program that forwards its instruction data and accounts to the program in its last account. A transfer sent through it is an inner
 * instruction (a cross-program invocation), invisible in the message's own instructions. Assembled here, so that tests need no Rust.
 */
export const forwarderProgram = (): Uint8Array => elf(code())

/** `instruction` as an inner one: the message names only the forwarder. No account may occur twice in it. */
export const throughForwarder = (forwarder: PublicKey, instruction: TransactionInstruction): TransactionInstruction =>
  new TransactionInstruction({
    programId: forwarder,
    keys: [...instruction.keys, { pubkey: instruction.programId, isSigner: false, isWritable: false }],
    data: instruction.data,
  })

/** The start of a program's heap (Solana docs, "Limitations": memory map). Zeroed, and not shared. */
const heap = 0x3_0000_0000n
const metas = heap + 0x100n
const infos = heap + 0x1000n

/** Sizes in the C interface of programs (the SDK's `sol/cpi.h` and `sol/entrypoint.h`). */
const metaSize = 16
const infoSize = 56
/** Space to grow that the loader leaves behind each account's data (`MAX_PERMITTED_DATA_INCREASE`). */
const growth = 10_240
/** The loader's first byte of an account that does not repeat an earlier one. */
const notRepeated = 0xff

/** Operation codes of sBPF version 0 (solana-labs/rbpf, `ebpf.rs`). */
const op = {
  lddw: 0x18,
  ldxb: 0x71,
  ldxdw: 0x79,
  stxb: 0x73,
  stxdw: 0x7b,
  movImmediate: 0xb7,
  mov: 0xbf,
  addImmediate: 0x07,
  add: 0x0f,
  andImmediate: 0x57,
  jump: 0x05,
  jumpIfEqual: 0x1d,
  jumpUnlessImmediate: 0x55,
  call: 0x85,
  exit: 0x95,
}

type Instruction = readonly [code: number, to: number, from: number, offset: number, immediate: bigint]

/**
 * The bytecode. Registers: 1 is the input (the count of accounts, the accounts in sequence, the data), 5 counts accounts, 6 walks through
 * the input, 7 is the count of accounts, 8 and 9 walk through the metas and infos for `sol_invoke_signed_c`.
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
  const pointer = (offset: number, register: number): readonly Instruction[] => [move(3, 6), plus(3, offset), ...[store(9, register, 3)]]

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

/** The smallest shared object that the loader of version 0 accepts: text, dynamic symbols with the one syscall, and its relocation. */
function elf(instructions: readonly Instruction[]): Uint8Array {
  const text = Buffer.alloc(instructions.length * 8)
  instructions.forEach(([code, to, from, offset, immediate], i) => {
    text.writeUInt8(code, i * 8)
    text.writeUInt8(to | (from << 4), i * 8 + 1)
    text.writeInt16LE(offset, i * 8 + 2)
    text.writeUInt32LE(Number(BigInt.asUintN(32, immediate)), i * 8 + 4)
  })
  const headerSize = 64
  const words = (...values: readonly (number | bigint)[]) => Buffer.concat(values.map((value) => word(BigInt(value))))
  const strings = (names: readonly string[]) => Buffer.from(`\0${names.map((name) => `${name}\0`).join('')}`.padEnd(64, '\0'))
  const sectionNames = ['.text', '.dynsym', '.dynstr', '.rel.dyn', '.dynamic', '.shstrtab']
  const call = headerSize + 8 * instructions.findIndex(([code]) => code === op.call)

  const dynsymAt = headerSize + text.length
  const dynsym = words(0, 0, 0, 1n | (0x10n << 32n), 0, 0)
  const dynstrAt = dynsymAt + dynsym.length
  const dynstr = strings(['sol_invoke_signed_c'])
  const relocationsAt = dynstrAt + dynstr.length
  const syscallRelocation = 10n
  const relocations = words(call, (1n << 32n) | syscallRelocation)
  const dynamicAt = relocationsAt + relocations.length
  const tag = { end: 0, strings: 5, symbols: 6, stringsSize: 10, symbolSize: 11, relocations: 17, relocationsSize: 18, relocationSize: 19 }
  const dynamic = words(
    ...[tag.relocations, relocationsAt, tag.relocationsSize, relocations.length, tag.relocationSize, 16],
    ...[tag.symbols, dynsymAt, tag.symbolSize, 24, tag.strings, dynstrAt, tag.stringsSize, dynstr.length, tag.end, 0],
  )
  const namesAt = dynamicAt + dynamic.length
  const names = strings(sectionNames)
  const sectionsAt = namesAt + names.length

  const nameOffset = (name: string) => names.indexOf(`\0${name}\0`) + 1
  const section = (name: string, type: number, flags: number, at: number, size: number, link: number, info: number, entry: number) =>
    words(BigInt(nameOffset(name)) | (BigInt(type) << 32n), flags, at, at, size, BigInt(link) | (BigInt(info) << 32n), 8, entry)
  const sections = Buffer.concat([
    Buffer.alloc(headerSize),
    section('.text', 1, 6, headerSize, text.length, 0, 0, 0),
    section('.dynsym', 11, 2, dynsymAt, dynsym.length, 3, 1, 24),
    section('.dynstr', 3, 2, dynstrAt, dynstr.length, 0, 0, 0),
    section('.rel.dyn', 9, 2, relocationsAt, relocations.length, 2, 0, 16),
    section('.dynamic', 6, 2, dynamicAt, dynamic.length, 3, 0, 16),
    section('.shstrtab', 3, 0, namesAt, names.length, 0, 0, 0),
  ])
  const header = Buffer.alloc(headerSize)
  header.write('7f454c46020101', 'hex')
  const [sharedObject, bpf] = [3, 247]
  header.writeUInt16LE(sharedObject, 16)
  header.writeUInt16LE(bpf, 18)
  header.writeUInt32LE(1, 20)
  header.writeBigUInt64LE(BigInt(headerSize), 24)
  header.writeBigUInt64LE(BigInt(sectionsAt), 40)
  header.writeUInt16LE(headerSize, 52)
  header.writeUInt16LE(56, 54)
  header.writeUInt16LE(headerSize, 58)
  header.writeUInt16LE(sectionNames.length + 1, 60)
  header.writeUInt16LE(sectionNames.length, 62)
  return Buffer.concat([header, text, dynsym, dynstr, relocations, dynamic, names, sections])
}

function word(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  return bytes
}
