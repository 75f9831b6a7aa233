import type { Instruction } from './sbpf.ts'
import { op } from './sbpf.ts'

/** A line of a program: instructions, a place that jumps name, or a jump to one. */
export type Line =
  | readonly Instruction[]
  | { label: string }
  | { jump: string; code: number; left: number; right: number; immediate: bigint }

export const load = (to: number, from: number, offset: number): Line => [[op.ldxdw, to, from, offset, 0n]]
export const loadByte = (to: number, from: number, offset: number): Line => [[op.ldxb, to, from, offset, 0n]]
export const loadHalf = (to: number, from: number, offset: number): Line => [[op.ldxh, to, from, offset, 0n]]
export const store = (to: number, offset: number, from: number): Line => [[op.stxdw, to, from, offset, 0n]]
export const storeByte = (to: number, offset: number, from: number): Line => [[op.stxb, to, from, offset, 0n]]
export const move = (to: number, from: number): Line => [[op.mov, to, from, 0, 0n]]
export const set = (to: number, value: bigint): Line => [
  [op.lddw, to, 0, 0, value & 0xffff_ffffn],
  [0, 0, 0, 0, value >> 32n],
]
export const plus = (to: number, value: number): Line => [[op.addImmediate, to, 0, 0, BigInt(value)]]
/** An operation of two registers. */
export const both = (code: number, to: number, from: number): Line => [[code, to, from, 0, 0n]]
export const by = (code: number, to: number, value: number): Line => [[code, to, 0, 0, BigInt(value)]]
export const label = (name: string): Line => ({ label: name })
export const jump = (to: string): Line => ({ jump: to, code: op.jump, left: 0, right: 0, immediate: 0n })
export const jumpIf = (code: number, left: number, right: number, to: string): Line => ({
  jump: to,
  code,
  left,
  right,
  immediate: 0n,
})
export const jumpOn = (code: number, left: number, value: number, to: string): Line => ({
  jump: to,
  code,
  left,
  right: 0,
  immediate: BigInt(value),
})

const isLabel = (line: Line): line is { label: string } => 'label' in line
const isJump = (line: Line): line is Extract<Line, { jump: string }> => 'jump' in line

function lengthOf(line: Line): number {
  if (isLabel(line)) return 0
  return isJump(line) ? 1 : line.length
}

/** The instructions of a program. Jumps count from the next instruction. */
export function assemble(lines: readonly Line[]): Instruction[] {
  const places = new Map<string, number>()
  let at = 0
  for (const line of lines) {
    if (isLabel(line)) places.set(line.label, at)
    at += lengthOf(line)
  }
  const made: Instruction[] = []
  for (const line of lines) {
    if (isLabel(line)) continue
    if (!isJump(line)) {
      made.push(...line)
      continue
    }
    const place = places.get(line.jump)
    if (place === undefined) throw new Error(`there is no label ${line.jump}`)
    made.push([line.code, line.left, line.right, place - made.length - 1, line.immediate])
  }
  return made
}
