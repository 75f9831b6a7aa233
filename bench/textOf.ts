/** An address as text in one piece, as a string out of JSON is; one that was put together takes more memory. */
export const textOf = (address: Buffer): string => Buffer.from(`0x${address.toString('hex')}`).toString('latin1')
