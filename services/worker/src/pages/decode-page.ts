/** A page has to say within its first bytes what it is written in (html.spec.whatwg.org, "specifying the document's character encoding"). */
const declarationBytesMax = 1024;

const metaCharset = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i;

/** The text of a page: by its first bytes, by its header, by what it says itself, and otherwise as most pages are written. */
export function decodePage(bytes: Buffer, contentType: string): string {
  const byHeader = /;\s*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType)?.[1];
  const bySelf = metaCharset.exec(bytes.subarray(0, declarationBytesMax).toString('latin1'))?.[1];
  const labels = [byteOrderMarkEncoding(bytes), byHeader, compatibleWithMeta(bySelf), 'utf-8'];
  for (const label of labels) {
    const decoder = label === undefined ? undefined : decoderOf(label);
    if (decoder) return decoder.decode(bytes);
  }
  return '';
}

function byteOrderMarkEncoding([first, second, third]: Buffer): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

/** Whoever can read the word is not reading two bytes for each letter. */
const compatibleWithMeta = (label: string | undefined) =>
  label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;

function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
