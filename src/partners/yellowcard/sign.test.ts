import { describe, expect, test } from '@jest/globals'
import { Secret } from '../../platform/secrets.ts'
import { signatureOf } from './sign.ts'

const account = { secretKey: new Secret('secret') }

describe('signatures of the tests of jwambugu/yellowcard-go (client_test.go, TestClient_HttpAuthHeaders, commit 6b0a294)', () => {
  test('of a GET', () => {
    expect(signatureOf(account, '2024-06-14T16:20:00Z', 'GET', '/test')).toBe(
      'QEwrY3n9vsnI53x07zW6+XVNWy+933g/zksnwHaKfsU=',
    )
  })

  test('of a POST, which covers its body', () => {
    const of = (body: string) => signatureOf(account, '2024-06-14T16:20:00Z', 'POST', '/test', body)
    expect(of('{"data":"value"}')).toBe('X/J/HnTGlVDhHEuu1XlEy3Fsy2tpRM+WHduSha2wvbw=')
    expect(of('{"data":"valve"}')).not.toBe(of('{"data":"value"}'))
  })
})

// printf %s "2026-01-02T03:04:05.678Z$P""POST$(printf %s {} | openssl dgst -sha256 -binary | base64)" |
//   openssl dgst -sha256 -hmac partner-secret -binary | base64
// with P=/business/send/a2d094ec-5b45-56b1-83dd-5f83f91bebca/accept, and with
// P=/send/a2d094ec-5b45-56b1-83dd-5f83f91bebca/accept
test.each([
  ['whole', 'bs/VpPQ6C7T0NEr24qP4sgzZ4yNb4xIZxIQKS2HDakY='],
  ['short', 'DMFC3TtyhahjQvUvATeq3A0OVaU1XpD33ikrhQz+uPU='],
] as const)('covers the %s path', (signedPath, expected) => {
  const path = '/business/send/a2d094ec-5b45-56b1-83dd-5f83f91bebca/accept'
  expect(
    signatureOf(
      { secretKey: new Secret('partner-secret'), signedPath },
      '2026-01-02T03:04:05.678Z',
      'POST',
      path,
      '{}',
    ),
  ).toBe(expected)
})
