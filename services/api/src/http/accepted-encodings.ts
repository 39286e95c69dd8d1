/**
 * Returns the encodings of an Accept-Encoding header (RFC 9110, section 12.5.3); those of quality 0 are refused ones.
 */
export function acceptedEncodings(header: string): ReadonlySet<string> {
  const named = header.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  const isRefused = (quality = '1') => !(Number(quality) > 0);
  return new Set(named.flatMap(([name = '', quality]) => (name && !isRefused(quality) ? [name] : [])));
}
