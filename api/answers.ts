import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Contract, type Operation, operationsOf } from './contract.ts'

/** Returns the difference between an answer and the contract; null if the answer keeps to it. */
export type AnswerCheck = (
  operation: Pick<Operation, 'operationId'>,
  status: number,
  body: unknown,
) => string | null

interface Response {
  $ref?: string
  content?: Record<string, { schema: object }>
}

const mediaType = 'application/json'

/**
 * Checks answers against a contract. The document is read once; the schema of an answer is compiled at its
 * first use.
 */
export function answerCheck(contract: Contract): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(contract, 'contract')
  const places = new Map(
    operationsOf(contract).map(({ method, path, operation }) => [
      operation.operationId,
      { operation, at: ['paths', path, method, 'responses'] },
    ]),
  )
  return ({ operationId }, status, body) => {
    const place = places.get(operationId)
    if (!place) return 'the contract has no such operation'
    const { responses } = place.operation
    const key = [String(status), 'default'].find((each) => responses[each])
    if (key === undefined) return `the contract has no answer ${status}`
    const stated = responses[key] as Response
    const at = stated.$ref?.slice('#/'.length).split('/') ?? [...place.at, key]
    const { content } = stated.$ref
      ? ((contract.components[at[1] ?? '']?.[at[2] ?? ''] ?? {}) as Response)
      : stated
    if (!content?.[mediaType]) return body === undefined ? null : 'the contract has no body'
    const keeps = ajv.getSchema(`contract#${[...at, 'content', mediaType, 'schema'].map(inPointer).join('')}`)
    if (!keeps) return 'the contract has no schema'
    // Check what is sent: dates become strings in JSON.
    return keeps(JSON.parse(JSON.stringify(body)))
      ? null
      : ajv.errorsText(keeps.errors, { dataVar: 'answer' })
  }
}

/** A JSON pointer's segment in a URI fragment (RFC 6901). */
const inPointer = (key: string): string =>
  `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`
