import { CowryError } from '../../../client/index.ts'
import { FieldProblem } from './FieldProblem.ts'
import { asSentence } from './plainError.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Validation errors by control name, before sending. Native validation finds them; the texts are the
 * dashboard's.
 */
export function emptyOrMalformed(form: HTMLFormElement): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const element of form.elements) {
    const control = element as Control
    if (!control.name || !control.willValidate || problems[control.name]) continue
    const problem = problemOf(control)
    if (problem) problems[control.name] = problem
  }
  return problems
}

function problemOf(control: Control): string | undefined {
  const { validity, value } = control
  const shortest = 'minLength' in control ? control.minLength : -1
  if (validity.valueMissing || (control.required && control.type !== 'radio' && value.trim() === '')) {
    return control instanceof HTMLSelectElement || control.type === 'radio' ? 'Choose one.' : 'Fill this in.'
  }
  if (validity.badInput) return 'This is not complete.'
  if (shortest > 0 && value !== '' && value.length < shortest) return `Use at least ${shortest} characters.`
  if (validity.typeMismatch)
    return control.type === 'email'
      ? 'Enter an email address, such as ada@example.com.'
      : 'Enter a whole URL, such as https://example.com/.'
  if (validity.rangeUnderflow || validity.rangeOverflow || validity.stepMismatch) {
    const { min, max } = control as HTMLInputElement
    return control.type === 'number' ? `Enter a whole number from ${min} to ${max}.` : 'This is out of range.'
  }
  if (validity.patternMismatch) return control.title || 'This does not have the right form.'
  return undefined
}

/**
 * The errors of an answer by the names of the form's controls. `allowedAddresses.2` belongs to
 * `allowedAddresses`, and `recipient.name` to `recipient` where no control has the whole name. `labelled`
 * gives a control's label, which starts the sentence: the API answers only `is required`.
 */
export function errorsOf(
  error: unknown,
  names: string[],
  labelled: (name: string) => string,
): Record<string, string> {
  if (error instanceof FieldProblem) return error.fields
  if (!(error instanceof CowryError)) return {}
  const found: Record<string, string> = {}
  for (const { field, message } of error.fields ?? []) {
    const [first = '', index] = field.split(/[.[\]]/)
    const name = names.includes(field) ? field : first
    if (!names.includes(name) || found[name]) continue
    const subject = index !== undefined && /^\d+$/.test(index) ? `Line ${Number(index) + 1}` : labelled(name)
    found[name] = /^[a-z]/.test(message) ? asSentence(`${subject} ${message}`) : asSentence(message)
  }
  return found
}
