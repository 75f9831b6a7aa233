/**
 * Characters that change how the text around them reads, and are not seen: controls, overrides of the
 * direction of writing, spaces without width, tags. Joiners and variation selectors are allowed: scripts and
 * emoji need them. So are line breaks and tabs.
 */
const invisible =
  /(?![\t\n\r]|\u200c|\u200d|[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/u

/** True if a text that people read has characters that they cannot see. */
export const holdsInvisible = (text: string): boolean => invisible.test(text)
