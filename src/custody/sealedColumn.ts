/** A column that is sealed with the application's key (`sealText`). Its table has a uuid `id`. */
export interface SealedColumn {
  table: string
  column: string
  /** The context that a row's text is bound to. */
  context(id: string): string
}
