/** The HTML standard requires a page to declare its character encoding within its first 1024 bytes. */
const declarationBytesMax = 1024;

const metaCharset = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i;

/**
 * Returns the text of a page. Its encoding is taken from its byte order mark, else from its Content-Type header, else
 * from its meta element, else it is UTF-8.
 */
export function decodePage(bytes: Buffer, contentType: string): string {
  const fromHeader = /;\s*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType)?.[1];
  const fromMeta = metaCharset.exec(bytes.subarray(0, declarationBytesMax).toString('latin1'))?.[1];
  const labels = [byteOrderMarkEncoding(bytes), fromHeader, compatibleWithMeta(fromMeta), 'utf-8'];
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

/** A page whose meta element could be read as ASCII cannot be UTF-16, so it is read as UTF-8. */
const compatibleWithMeta = (label: string | undefined) =>
  label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;

function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
