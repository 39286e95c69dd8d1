/** SHA-256 of a text in hexadecimal; null where the page came without TLS, and the browser does not compute it. */
export async function sha256(text: string): Promise<string | null> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (!subtle) return null;
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
