/** An address as a flat string, like one parsed from JSON; a concatenated string takes more memory. */
export const textOf = (address: Buffer): string =>
  Buffer.from(`0x${address.toString('hex')}`).toString('latin1')
