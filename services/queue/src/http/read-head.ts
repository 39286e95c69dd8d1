import type { RequestHead } from './request-head.ts';

/**
 * Reads the head of a plain GET request, at the start of a text of one character per byte, into `head`. Returns where
 * the text goes on behind it, or null for everything else, and `head` is then of no use: whatever is incomplete, has a body, another method or version, an odd character or name anywhere, a header
 * twice that matters here, or says something about its connection. A server of the whole protocol reads that instead.
 * So this parser need not know how any of it is read; it only must not accept what could be read otherwise.
 */
export function readHead(text: string, head: RequestHead): number | null {
  requestLine.lastIndex = 0;
  if (!requestLine.test(text)) return null;
  const linesStart = requestLine.lastIndex;
  headerLines.lastIndex = linesStart;
  if (!headerLines.test(text)) return null;
  const { lastIndex: end } = headerLines;
  if (end > headBytesMax) return null;
  head.url = text.slice('GET '.length, linesStart - ' HTTP/1.1\r\n'.length);
  let count = 0;
  for (let start = linesStart; start < end - 2;) {
    const colon = text.indexOf(':', start);
    const lineEnd = text.indexOf('\r\n', colon);
    count += 1;
    if (count > headersMax || !take(head, text, start, colon, lineEnd)) return null;
    start = lineEnd + 2;
  }
  return end;
}

const headBytesMax = 16 * 1024;
const headersMax = 100;

/** A path and perhaps a query, of the characters of RFC 3986 and those that clients leave as they are in JSON. */
const requestLine = /GET \/[\w\-.~!$&'()*+,;=:@/?%[\]{}"]* HTTP\/1\.1\r\n/y;
/** Lines of a name and a value of printable ASCII, and the empty line. Nothing is folded. */
const headerLines = /(?:[\w-]+:[\t -~]*\r\n)*\r\n/y;

/** Takes one header. Returns false for one that may change how the request is read, or whether its connection stays. */
function take(head: RequestHead, text: string, start: number, colon: number, lineEnd: number): boolean {
  // By length first: most headers are of no interest here.
  switch (colon - start) {
    case 'host'.length: {
      if (!isNamed(text, start, 'host')) return true;
      if (head.host !== undefined) return false;
      head.host = valueAt(text, colon, lineEnd);
      return true;
    }
    case 'authorization'.length: {
      if (!isNamed(text, start, 'authorization')) return true;
      if (head.authorization !== undefined) return false;
      head.authorization = valueAt(text, colon, lineEnd);
      return true;
    }
    case 'x-forwarded-for'.length: {
      if (!isNamed(text, start, 'x-forwarded-for')) return true;
      if (head.forwardedFor !== undefined) return false;
      head.forwardedFor = valueAt(text, colon, lineEnd);
      return true;
    }
    case 'x-request-id'.length: {
      if (!isNamed(text, start, 'x-request-id')) return true;
      if (head.sentRequestId !== undefined) return false;
      head.sentRequestId = valueAt(text, colon, lineEnd);
      return true;
    }
    case 'cookie'.length: {
      if (isNamed(text, start, 'expect')) return false;
      if (!isNamed(text, start, 'cookie')) return true;
      if (head.cookie !== undefined) return false;
      head.cookie = valueAt(text, colon, lineEnd);
      return true;
    }
    case 'connection'.length: {
      const isOfConnection = isNamed(text, start, 'connection') || isNamed(text, start, 'keep-alive');
      return !isOfConnection || valueAt(text, colon, lineEnd).toLowerCase() === 'keep-alive';
    }
    case 'te'.length:
    case 'upgrade'.length:
    case 'content-length'.length:
    case 'proxy-connection'.length:
    case 'transfer-encoding'.length:
      return !unusual.has(text.slice(start, colon).toLowerCase());
    default:
      return true;
  }
}

const unusual: ReadonlySet<string> = new Set([
  'te',
  'upgrade',
  'trailer',
  'content-length',
  'proxy-connection',
  'transfer-encoding',
]);

/** Whether the header's name, of word characters and hyphens, is this one but for the case of its letters. */
function isNamed(text: string, start: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if ((text.charCodeAt(start + index) | caseBit) !== name.charCodeAt(index)) return false;
  }
  return true;
}

/** Makes a letter small, and changes no digit and no hyphen. */
const caseBit = 0x20;

const tab = 9;
const space = 32;
const isBlank = (code: number) => code === space || code === tab;

function valueAt(text: string, colon: number, lineEnd: number): string {
  let [start, end] = [colon + 1, lineEnd];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
