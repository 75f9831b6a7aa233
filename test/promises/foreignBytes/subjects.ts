import { evmSubjects } from './evmSubjects.ts'
import { solanaSubjects } from './solanaSubjects.ts'
import { stellarSubjects } from './stellarSubjects.ts'
import type { Subject } from './subject.ts'
import { tronSubjects } from './tronSubjects.ts'

/** The readers of every family, each with a part of a recorded block. */
export async function subjects(): Promise<Subject[]> {
  const others = await Promise.all([solanaSubjects(), tronSubjects(), stellarSubjects()])
  return [...evmSubjects(), ...others.flat()]
}
