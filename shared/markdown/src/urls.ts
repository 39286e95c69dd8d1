const schemes = new Set(
  `http https ftp file bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh
   tel urn webcal wtai xmpp`.split(/\s+/),
);

/**
 * Returns the address that a link leads to; null if its scheme is not allowed, since it might run code, or if it is not
 * an address.
 */
export function safeUrl(written: string, realmUrl: string): string | null {
  // Browsers remove some of these characters before they look for a scheme.
  if (written === '' || /[\0-\u0020\u007f]/.test(written)) return null;
  const local = localPart(written, realmUrl);
  if (local !== null) return local;
  if (written.startsWith('//')) return `http:${written}`;
  if (written.startsWith('/') || written.startsWith('#')) return written;
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))/i.exec(written)?.[1];
  if (scheme !== undefined) return schemes.has(scheme.toLowerCase()) ? written : null;
  if (/^[^@/:?#]+@[^@/:?#]+$/.test(written)) return `mailto:${written}`;
  return `http://${written}`;
}

/** The relative form of an address within the application or of an upload. */
function localPart(url: string, realmUrl: string): string | null {
  if (!url.startsWith(`${realmUrl}/`)) return null;
  const rest = url.slice(realmUrl.length + 1);
  return rest.startsWith('#') || rest.startsWith('user_uploads/') ? rest : null;
}

/** Returns the path id of the upload that a link leads to, if it leads to one, or to one of its thumbnails. */
export function uploadOf(href: string): string | null {
  const [, thumbnail, path] = /^\/?user_uploads\/(thumbnail\/)?(\d{1,10}\/[^\s?#]+)/.exec(href) ?? [];
  if (path === undefined) return null;
  return thumbnail === undefined ? path : path.replace(/\/\d{1,5}x\d{1,5}(?:-anim)?\.[a-z]{1,5}$/, '');
}

/** Returns the file ending of an address in lower case with its dot: `.png`. */
export const endingOf = (href: string): string =>
  /^[^?#]*(\.[a-z0-9]{1,5})(?:[?#]|$)/i.exec(href)?.[1]?.toLowerCase() ?? '';
