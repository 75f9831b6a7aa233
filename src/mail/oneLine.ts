/**
 * Puts untrusted text on one line, without unprintable characters, and breaks URLs and host names so that
 * mail programs make no links of them. Mail programs read the dots of other scripts as dots, too.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/:\/\//g, ': //')
    .replace(/[.\u3002\uff0e\uff61](?=[\p{L}\p{N}])/gu, '$& ')
    .trim()
