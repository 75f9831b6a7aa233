import { pause } from '../platform/wait.ts'
import type { Outcome } from './model.ts'
import type { Verifier } from './verifier.ts'

/** What the sandbox answers, by `idNumber` (docs/verification.md); to any other it answers `completed`. */
const outcomes: Readonly<Record<string, Outcome>> = {
  'TEST-EXPIRED': { status: 'failed', reasonCode: 'document_expired', reason: 'The document has expired' },
  'TEST-SELFIE': { status: 'failed', reasonCode: 'selfie_mismatch', reason: 'The selfie shows another person than the document' },
  'TEST-NOT-FOUND': { status: 'not_found', reasonCode: 'identity_not_found', reason: 'No identity has this number' },
  'TEST-ERROR': { status: 'error', reasonCode: 'provider_unavailable', reason: 'The register does not answer' },
}

const slowMs = 3000

/** Checks nothing, for deployments of test networks. */
export const sandboxVerifier: Verifier = {
  name: 'sandbox',
  async check({ id, person: { idNumber = '' } }, signal) {
    if (idNumber === 'TEST-SLOW') await pause(slowMs, signal)
    if (idNumber === 'TEST-SILENT') await pause(2 ** 30, signal)
    if (signal.aborted) throw new Error('the sandbox gave no answer')
    const isFor = idNumber === 'TEST-OTHER' ? '00000000-0000-7000-8000-000000000000' : id
    return { id: isFor, outcome: outcomes[idNumber] ?? { status: 'completed' } }
  },
}
