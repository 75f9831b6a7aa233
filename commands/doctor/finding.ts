import type { Part } from '../../src/platform/config.ts'

/** The parts that `npm run cowry -- doctor` checks, in the order of its report. */
export const areas = [
  'settings',
  'database',
  'redis',
  'nodes',
  'keys',
  'mail',
  'partners',
  'clock',
  'egress',
  'public URL',
] as const
export type Area = (typeof areas)[number]

/** A process, or `npm run cowry -- migrate` with the owner's role. */
export type DoctorPart = Part | 'migrate'
export const doctorParts = [
  'migrate',
  'api',
  'worker',
  'indexer',
  'treasury',
  'verification',
] as const satisfies readonly DoctorPart[]

/**
 * - `fault`: it will not work, or money or secrets are at risk
 * - `advice`: it works, and should be otherwise
 * - `unchecked`: the check itself failed
 */
export type FindingState = 'ok' | 'advice' | 'fault' | 'unchecked'

export interface Finding {
  area: Area
  /** Parts, or a host that was queried; safe to show. */
  of: string
  state: FindingState
  /** For scripts: a stable code. */
  code: string
  /** What is there, or what is wrong. */
  text: string
  /** What to do; only where something is wrong. */
  cure?: string
}

/** Makes the findings of one area. */
export function findingsOf(area: Area) {
  return {
    ok: (of: string, text: string): Finding => ({ area, of, state: 'ok', code: 'ok', text }),
    advice: (of: string, code: string, text: string, cure: string): Finding => ({
      area,
      of,
      state: 'advice',
      code,
      text,
      cure,
    }),
    fault: (of: string, code: string, text: string, cure: string): Finding => ({
      area,
      of,
      state: 'fault',
      code,
      text,
      cure,
    }),
  }
}

/** The same finding of several parts is one. */
export function merged(findings: readonly Finding[]): Finding[] {
  const all = new Map<string, Finding>()
  for (const finding of findings) {
    const key = JSON.stringify([finding.area, finding.state, finding.code, finding.text, finding.cure])
    const known = all.get(key)
    all.set(
      key,
      known && known.of !== finding.of ? { ...known, of: `${known.of}, ${finding.of}` } : (known ?? finding),
    )
  }
  return [...all.values()].sort((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area))
}
