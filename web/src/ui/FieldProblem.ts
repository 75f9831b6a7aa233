/** Thrown by a form's own checks: errors by field name, in whole sentences. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem'
  readonly fields: Record<string, string>
  constructor(fields: Record<string, string>) {
    super('Some fields are not right.')
    this.fields = fields
  }
}
