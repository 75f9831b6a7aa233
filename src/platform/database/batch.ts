import pg from 'pg'

/** The connection below a client of `pg`, as far as a batch uses it. */
interface Connection {
  stream: { cork(): void; uncork(): void; destroy(): void }
  submittedNamedStatements: Record<string, string>
  sync(): void
}

/** A query of `pg`: its methods for the messages of the protocol, which its types omit. */
interface Query {
  name?: string
  text: string
  submit(connection: Connection): Error | null
  handleRowDescription(message: object): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object, connection: Connection): void
  handleError(error: Error, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
}

export interface Statement {
  /** One statement. */
  text: string
  values: unknown[]
  /** Of the prepared statement; undefined: parsed at each execution. */
  name: string | undefined
  done(error: Error | null, result?: Result): void
}

export interface Result {
  rows: unknown[]
  /** The first part of the command tag of Postgres. */
  command: string
}

/**
 * Several statements as one query of `pg`: one write, one `Sync`, one round trip (protocol 3.0, "Extended
 * Query"). Postgres runs them in order, and skips all after one that fails: these fail with its error.
 */
export class Batch implements pg.Submittable {
  private readonly queries: Query[]
  /** Index of the running statement. */
  private at = 0
  private brokenBy: Error | null = null
  /** Set by the client. */
  callback?: (error: Error | null, result?: unknown) => void

  /** @param client parses the values of rows */
  constructor(client: object, statements: readonly Statement[]) {
    this.queries = statements.map(({ text, values, name, done }) => {
      const config = { text, values, name, types: client, queryMode: 'extended' }
      const finished = (error: Error | null, result?: Result) => {
        this.brokenBy ??= error
        done(error, result)
      }
      return new (
        pg.Query as unknown as new (
          config: object,
          values: undefined,
          done: typeof finished,
        ) => Query
      )(config, undefined, finished)
    })
  }

  /** `pg` records under these what Postgres has parsed. */
  get name(): string | undefined {
    return this.queries[this.at]?.name
  }
  get text(): string | undefined {
    return this.queries[this.at]?.text
  }

  submit(given: object): Error | null {
    const connection = given as Connection
    const withoutSync: Connection = Object.create(connection, { sync: { value: () => {} } })
    connection.stream.cork()
    for (const query of this.queries) {
      const error = query.submit(withoutSync) ?? this.brokenBy
      if (!error) continue
      // A value that cannot be sent: the messages before it wait for a `Sync`.
      connection.stream.destroy()
      return error
    }
    connection.sync()
    connection.stream.uncork()
    return null
  }

  handleRowDescription(message: object): void {
    this.queries[this.at]?.handleRowDescription(message)
  }

  handleDataRow(message: object): void {
    this.queries[this.at]?.handleDataRow(message)
  }

  handleCommandComplete(message: object, connection: Connection): void {
    this.queries[this.at]?.handleCommandComplete(message, connection)
    this.at++
  }

  handleReadyForQuery(connection: Connection): void {
    for (const query of this.queries) query.handleReadyForQuery(connection)
    this.callback?.(null)
  }

  handleError(error: Error, connection: Connection): void {
    for (const [index, query] of this.queries.entries()) {
      if (index < this.at) {
        query.handleReadyForQuery(connection)
        continue
      }
      if (query.name !== undefined) delete connection.submittedNamedStatements[query.name]
      query.handleError(error, connection)
    }
    this.callback?.(error)
  }
}
