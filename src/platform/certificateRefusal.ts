/** Why a server's certificate is not accepted, and what to do. */
export interface CertificateRefusal {
  what: string
  cure: string
}

/**
 * @param code of Node or OpenSSL
 * @param name that the server was connected under
 * @param setting that names the authority
 * @returns null where the failure is another one
 */
export function certificateRefusal(code: string, name: string, setting: string): CertificateRefusal | null {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { what: 'is not for this name', cure: `use a name that it has, or renew it with ${name}` }
  if (code === 'CERT_HAS_EXPIRED')
    return {
      what: 'has expired, or that of its authority has',
      cure: 'renew it, and check the clock of this machine',
    }
  if (code === 'CERT_NOT_YET_VALID')
    return { what: 'is not valid yet', cure: 'check the clock of this machine, and from when it is valid' }
  if (!/^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/.test(code)) return null
  return { what: `is not trusted (${code})`, cure: `${setting} must name the authority that signed it` }
}
