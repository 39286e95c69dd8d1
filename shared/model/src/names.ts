/** Control characters, lone surrogates and non-characters: in no name that others have to read (reference/limits.md 1). */
export function isUnprintable(character: string): boolean {
  if (/[\p{Cc}\p{Cs}]/u.test(character)) return true;
  const code = character.codePointAt(0) ?? 0;
  return (code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}
