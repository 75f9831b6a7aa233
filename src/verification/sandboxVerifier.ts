import { pause } from '../platform/wait.ts'
import type { Outcome, RequestAnswer, RequestKind } from './model.ts'
import type { Verifier } from './verifier.ts'

const unavailable: Outcome = { status: 'error', reasonCode: 'provider_unavailable' }
/** What the sandbox answers, by `idNumber`, of decisions by `subject` (docs/verification.md). */
const outcomes: Readonly<Record<string, Outcome>> = {
  'TEST-EXPIRED': { status: 'failed', reasonCode: 'document_expired' },
  'TEST-SELFIE': { status: 'failed', reasonCode: 'selfie_mismatch' },
  'TEST-NOT-FOUND': { status: 'not_found', reasonCode: 'identity_not_found' },
  'TEST-ERROR': unavailable,
}
const answers: Record<RequestKind, Readonly<Record<string, RequestAnswer>>> = {
  verification: {},
  assessment: { 'TEST-MEDIUM': 'medium', 'TEST-HIGH': 'high' },
  decision: { 'TEST-REVIEW': 'review', 'TEST-DENY': 'deny' },
}
const usual: Record<RequestKind, Outcome> = {
  verification: { status: 'completed' },
  assessment: { status: 'completed', answer: 'low' },
  decision: { status: 'completed', answer: 'allow' },
}

const slowMs = 3000

/** Checks nothing, for deployments of test networks. */
export const sandboxVerifier: Verifier = {
  name: 'sandbox',
  async check({ id, kind, person: { idNumber, subject } }, signal) {
    const number = idNumber ?? subject ?? ''
    if (number === 'TEST-SLOW') await pause(slowMs, signal)
    if (number === 'TEST-SILENT') await pause(2 ** 30, signal)
    if (signal.aborted) throw new Error('the sandbox gave no answer')
    const isFor = number === 'TEST-OTHER' ? '00000000-0000-7000-8000-000000000000' : id
    const answer = { id: isFor, outcome: outcomeOf(kind, number) }
    return number === 'TEST-TWICE' ? [answer, { id, outcome: unavailable }] : answer
  },
}

function outcomeOf(kind: RequestKind, number: string): Outcome {
  const answer = answers[kind][number]
  if (answer) return { status: 'completed', answer }
  const outcome = outcomes[number]
  const isPossible = kind === 'verification' || outcome?.status === 'error'
  return (isPossible && outcome) || usual[kind]
}
