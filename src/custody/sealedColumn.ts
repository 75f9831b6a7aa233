/**
 * A column that is sealed with the application's key (`sealText`), or with that of the verification area. Its
 * table has a uuid `id`.
 */
export interface SealedColumn {
  table: string
  column: string
  /** The context that a row's text is bound to. */
  context(id: string): string
}
