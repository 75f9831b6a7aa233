import { loadVerificationContract, operationsOf } from '../../api/contract.ts'
import { newId } from '../../src/platform/ids.ts'
import { png } from './sampleFiles.ts'
import type { ListedOperation } from './sampleRequests.ts'

/** Records of a business: a verification that has ended, with a file; an assessment and a decision. */
export interface VerificationRecords {
  verification: string
  media: string
  assessment: string
  decision: string
}

export const noRecords = (): VerificationRecords => ({
  verification: newId(),
  media: newId(),
  assessment: newId(),
  decision: newId(),
})

const all = operationsOf(loadVerificationContract())

/** Operations of the verification host that take a key. */
export const guardedOperations = all.filter(({ operation }) => operation['x-scope'] !== 'public')

export const personCanary = {
  ...{ idNumber: 'CANARY-4711-X', firstName: 'Adaezecanary', lastName: 'Okaforcanary', dob: '1987-11-23' },
  metadata: { note: 'canary of metadata' },
}

/** A body that each operation takes. */
export function bodyOf(operationId: string): Record<string, unknown> | undefined {
  const requestId = `s-${newId()}`
  if (operationId === 'createVerification')
    return { requestId, country: 'NG', idType: 'passport', ...personCanary }
  if (operationId === 'createRiskAssessment') return { requestId, country: 'NG', ...personCanary }
  if (operationId === 'createDecision')
    return {
      requestId,
      type: 'transaction',
      subject: 'canary-of-a-subject',
      amount: '125.50',
      currency: 'USDC',
    }
  return undefined
}

/** The path of an operation about these records. */
export function pathOf(
  { path, operation: { operationId } }: ListedOperation,
  records: VerificationRecords,
): string {
  const id =
    { getDecision: records.decision, getRiskAssessment: records.assessment }[operationId] ??
    records.verification
  return path.replace('{id}', id).replace('{mediaId}', records.media)
}

export function uploadForm(file: Buffer = png()): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'canary-of-a-file-name.png')
  return form
}

export interface VerificationAnswer {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

/** Sends a sample of an operation to a verification host. @param torn a body that is no JSON */
export async function sendSample(
  url: string,
  listed: ListedOperation,
  headers: Record<string, string>,
  records: VerificationRecords,
  torn = false,
): Promise<VerificationAnswer> {
  const { operationId } = listed.operation
  const json = bodyOf(operationId)
  const text = torn ? '{"torn":' : JSON.stringify(json)
  const body = operationId === 'createUpload' ? uploadForm() : json && text
  const response = await fetch(`${url}${pathOf(listed, records)}`, {
    method: listed.method.toUpperCase(),
    headers: { ...(json && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    body: isJson ? JSON.parse(bytes.toString()) : {},
    headers: response.headers,
  }
}
