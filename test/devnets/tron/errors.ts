/** Codes of `Return.response_code` (api.proto) with which a node refuses a transaction. */
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

/** A transaction that a node does not take. The texts are those of java-tron, Wallet.broadcastTransaction and the actuators. */
export class Refusal extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

/** What a contract's validation says, as a broadcast answers it. */
export const invalid = (message: string): Refusal => new Refusal('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${message}`)

/** A question that cannot be answered: `{"Error": "class … : message"}`, with status 200. */
export class RequestError extends Error {
  readonly javaClass: string

  constructor(javaClass: string, message: string) {
    super(message)
    this.javaClass = javaClass
  }
}
