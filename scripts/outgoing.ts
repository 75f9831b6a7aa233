// npm run outgoing: the name of `npm run intents` before this version; it works for one more.
process.stderr.write('npm run outgoing is now npm run intents; the old name works for one more version\n')
await import('./intents.ts')
