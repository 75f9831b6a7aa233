import { areas, type Finding } from './finding.ts'

const words = { ok: 'ok', advice: 'advice', fault: 'FAULT', unchecked: 'UNCHECKED' } as const

/** 0: no fault; 1: faults; 2: a check could not run. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ state }) => state === 'unchecked')) return 2
  return findings.some(({ state }) => state === 'fault') ? 1 : 0
}

export const asJson = (findings: readonly Finding[]): string =>
  JSON.stringify({ ok: exitCodeOf(findings) === 0, faults: countOf(findings, 'fault'), findings }, null, 2)

const countOf = (findings: readonly Finding[], state: Finding['state']) =>
  findings.filter((finding) => finding.state === state).length

/** For people: each area with its findings, and below each fault what to do. */
export function asText(findings: readonly Finding[]): string {
  const lines = areas.flatMap((area) => {
    const own = findings.filter((finding) => finding.area === area)
    return own.length === 0 ? [] : [area, ...own.flatMap(linesOf), '']
  })
  const [faults, advices] = [countOf(findings, 'fault'), countOf(findings, 'advice')]
  const unchecked = countOf(findings, 'unchecked')
  const parts = [counted(faults, 'fault', 'faults'), counted(advices, 'piece of advice', 'pieces of advice')]
  return [...lines, `${[...parts, ...(unchecked > 0 ? [`${unchecked} not checked`] : [])].join(', ')}.`].join(
    '\n',
  )
}

const counted = (count: number, one: string, many: string) =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`

function linesOf({ state, of, text, cure }: Finding): string[] {
  const first = `  ${words[state].padEnd(9)}  ${of}: ${text}`
  return cure === undefined ? [first] : [first, `             → ${cure}`]
}
