import { shellLines } from './commandsEnv.ts'
import { writePrivateText } from './state.ts'

/** Functions for the examples of the docs, for any POSIX shell with curl and node. */
const functions = `
# post /pos/sessions -d '{ … }': a request of the API; get /balances likewise. The exit code is 22 for an error.
get() { at=$1; shift; curl -sS --fail-with-body "$API$at" -H "X-API-Key: $KEY" "$@"; }
post() { get "$@" -X POST -H 'Content-Type: application/json'; }
# … | field id: one field of an answer. dev chains.base.usdc: one of dev.json.
field() { node -p "JSON.parse(require('node:fs').readFileSync(0)).$1"; }
dev() { node -p "require('$COWRY_HOME/dev.json').$1"; }
`

/** `api.sh`: the API, the key of the demo business and functions, for `. .cowry/api.sh`. */
export function writeApiShell(
  file: string,
  settings: { COWRY_HOME: string; API: string; KEY: string; VERIFY: string; VERIFY_SECRET: string },
): void {
  const exported = shellLines(settings)
    .replaceAll(/^/gm, 'export ')
    .replace(/export $/, '')
  writePrivateText(
    file,
    `# Made by npm start. Read it into a shell with a dot in front.\n${exported}${functions}`,
  )
}
