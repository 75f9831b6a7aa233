import { expect, test } from '@jest/globals'
import { type SignedRequest, scopeOf, signatureOf } from './sigV4.ts'

const empty = new Uint8Array()
const suite = { accessKeyId: 'AKIDEXAMPLE', date: '20150830', region: 'us-east-1', service: 'service' }
const suiteSecret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const at = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' }

// AWS's test suite of Signature Version 4: request, signed headers and the documented signature.
test.each<[string, SignedRequest, string[], string]>([
  [
    'get-vanilla',
    { method: 'GET', url: '/', headers: at, body: empty },
    ['host', 'x-amz-date'],
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'post-vanilla',
    { method: 'POST', url: '/', headers: at, body: empty },
    ['host', 'x-amz-date'],
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'get-vanilla-query-order-key-case',
    { method: 'GET', url: '/?Param2=value2&Param1=value1', headers: at, body: empty },
    ['host', 'x-amz-date'],
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'post-x-www-form-urlencoded',
    {
      method: 'POST',
      url: '/',
      headers: { ...at, 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from('Param1=value1'),
    },
    ['content-type', 'host', 'x-amz-date'],
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
])('the signature of %s is the documented one', (_name, request, signedHeaders, signature) => {
  expect(signatureOf(request, { ...suite, signedHeaders }, suiteSecret)).toBe(signature)
  // A body, a header or a secret that differs has another signature.
  expect(
    signatureOf({ ...request, body: Buffer.from('x') }, { ...suite, signedHeaders }, suiteSecret),
  ).not.toBe(signature)
  expect(signatureOf(request, { ...suite, signedHeaders }, `${suiteSecret}x`)).not.toBe(signature)
})

// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Example: GET Object"
test('the documented request for an object has the documented signature', () => {
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
  }
  const signature = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'
  const header = `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=${signature}`
  const scope = scopeOf(header)
  if (!scope) throw new Error('the header was not read')
  expect(scope).toMatchObject({
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    region: 'us-east-1',
    service: 's3',
    signature,
  })
  expect(
    signatureOf(
      { method: 'GET', url: '/test.txt', headers, body: empty },
      scope,
      'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    ),
  ).toBe(signature)
})
