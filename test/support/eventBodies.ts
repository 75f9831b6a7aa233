import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { loadCatalogue } from '../../scripts/events/catalogue.ts'
import { schemaDocument } from '../../scripts/events/schemas.ts'

/**
 * Lists what the catalogue does not allow in the body of a webhook, including fields that it does not name.
 */
export type BodyCheck = (body: unknown) => string[]

export function createBodyCheck(catalogue = loadCatalogue()): BodyCheck {
  const document = schemaDocument(catalogue, 'refused')
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false })
  addFormats.default(ajv)
  ajv.addVocabulary(['example'])
  ajv.addSchema(document, 'events')
  const known = new Set(catalogue.events.map(({ type }) => type))
  return (body) => {
    const { type } = (body ?? {}) as { type?: unknown }
    if (typeof type !== 'string' || !known.has(type))
      return [`the catalogue has no type ${JSON.stringify(type)}`]
    const validate = ajv.getSchema(`events#/$defs/${type}`)
    if (!validate) throw new Error(`no schema of ${type}`)
    if (validate(body)) return []
    const wrong = (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    )
    return [...new Set(wrong)]
  }
}
