import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An authority that signs certificates of servers. Paths of PEM files. */
export interface Authority {
  ca: string
  /** @param names DNS names and IP addresses */
  certificate(file: string, names: readonly string[]): { cert: string; key: string }
}

const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']

/** With the machine's OpenSSL. Servers of other users may read the files. */
export function makeAuthority(folder: string, name: string): Authority {
  const ca = join(folder, `${name}.pem`)
  const caKey = join(folder, `${name}.key`)
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  openssl('req', '-x509', ...keyOptions, '-keyout', caKey, '-out', ca, '-subj', `/CN=${name}`)
  return {
    ca,
    certificate(file, names) {
      const [cert, key] = [join(folder, `${file}.crt`), join(folder, `${file}.key`)]
      const listed = names.map((each) => `${/^[\d.]+$/.test(each) ? 'IP' : 'DNS'}:${each}`).join(',')
      const extensions = join(folder, `${file}.cnf`)
      writeFileSync(extensions, `subjectAltName=${listed}\n`)
      openssl('req', ...keyOptions, '-keyout', key, '-out', `${cert}.csr`, '-subj', `/CN=${file}`)
      openssl(
        'x509',
        '-req',
        '-in',
        `${cert}.csr`,
        '-CA',
        ca,
        '-CAkey',
        caKey,
        '-CAcreateserial',
        '-days',
        '2',
        '-extfile',
        extensions,
        '-out',
        cert,
      )
      chmodSync(key, 0o644)
      return { cert, key }
    },
  }
}
