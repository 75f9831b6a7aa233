/** Normalizes an email address, so that one address has one spelling. */
export const normalEmail = (email: string): string => email.normalize('NFKC').trim().toLowerCase()
