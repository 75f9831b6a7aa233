/** Codes of `Return.response_code` (api.proto) for refused transactions. */
export type RefusalCode =
  | 'SIGERROR'
  | 'CONTRACT_VALIDATE_ERROR'
  | 'CONTRACT_EXE_ERROR'
  | 'BANDWITH_ERROR'
  | 'DUP_TRANSACTION_ERROR'
  | 'TAPOS_ERROR'
  | 'TOO_BIG_TRANSACTION_ERROR'
  | 'TRANSACTION_EXPIRATION_ERROR'
  | 'OTHER_ERROR'

/** A refused transaction, with the messages of java-tron's Wallet.broadcastTransaction and actuators. */
export class Refusal extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

/** A contract's validation error, as a broadcast returns it. */
export const invalid = (message: string): Refusal =>
  new Refusal('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${message}`)

/** A malformed request: `{"Error": "class … : message"}`, with status 200. */
export class RequestError extends Error {
  readonly javaClass: string

  constructor(javaClass: string, message: string) {
    super(message)
    this.javaClass = javaClass
  }
}
