import {
  answerSize,
  duplicate,
  duplicateAtOnce,
  keepAlive,
  outOfOrder,
  rawBody,
  redirect,
  rotation,
  time,
  unknownFields,
  unknownType,
  valid,
} from './acceptances.ts'
import { type Finding, isRedirect, isTaken, skipped } from './finding.ts'
import {
  changedBody,
  futureTimestamp,
  missingHeaders,
  oldTimestamp,
  otherScheme,
  wrongSignature,
} from './refusals.ts'
import type { Answer } from './send.ts'
import type { Learnt, Target } from './target.ts'

type Check = (target: Target, first: Answer, learnt: Learnt) => Finding | Promise<Finding>

const unlessForged =
  (check: (target: Target) => Promise<Finding>): Check =>
  (target, _first, { takesForged, failsOnRefusal }) =>
    takesForged || failsOnRefusal ? skipped('see wrong-signature') : check(target)
const unlessFailing =
  (check: (target: Target) => Promise<Finding>): Check =>
  (target, _first, { failsOnRefusal }) =>
    failsOnRefusal ? skipped('see wrong-signature') : check(target)

/** In the order in which they run. */
const checks = {
  valid,
  redirect,
  'answer-size': answerSize,
  'keep-alive': keepAlive,
  'raw-body': rawBody,
  'wrong-signature': (target, _first, learnt) => wrongSignature(target, learnt),
  'changed-body': unlessForged(changedBody),
  'missing-headers': unlessForged(missingHeaders),
  'other-scheme': unlessForged(otherScheme),
  'old-timestamp': unlessFailing(oldTimestamp),
  'future-timestamp': unlessFailing(futureTimestamp),
  rotation,
  duplicate: (target, _first, learnt) => duplicate(target, learnt),
  'duplicate-at-once': (target, _first, { refusesDuplicates }) =>
    refusesDuplicates ? skipped('see duplicate') : duplicateAtOnce(target),
  'out-of-order': outOfOrder,
  'unknown-type': unknownType,
  'unknown-fields': unknownFields,
  // Last: an overloaded receiver may stay busy for a while.
  time,
} satisfies Record<string, Check>

export type CheckName = keyof typeof checks
export const checkNames = Object.keys(checks) as CheckName[]
export type NamedFinding = Finding & { name: CheckName }

/** What can be checked, by how the receiver answered the genuine event. */
function checksAfter(first: Parameters<typeof isTaken>[0]): readonly CheckName[] {
  if (isTaken(first)) return checkNames
  return isRedirect(first) ? ['valid', 'redirect'] : ['valid']
}

/**
 * Runs the checks one after another. If the genuine event is not accepted, the rest is skipped.
 * @param only these, and `valid`; null: all
 */
export async function checkReceiver(
  target: Target,
  only: readonly CheckName[] | null,
  heard: (finding: NamedFinding) => void = () => {},
): Promise<NamedFinding[]> {
  const first = await target.deliver(target.event())
  const learnt: Learnt = { takesForged: false, failsOnRefusal: false, refusesDuplicates: false }
  const findings: NamedFinding[] = []
  for (const name of checksAfter(first)) {
    // Other checks prove nothing about a receiver that refuses the genuine event; `valid` explains why.
    if (only !== null && !only.includes(name) && name !== 'valid' && isTaken(first)) continue
    const check: Check = checks[name]
    const finding = { name, ...(await check(target, first, learnt)) }
    findings.push(finding)
    heard(finding)
  }
  return findings
}
