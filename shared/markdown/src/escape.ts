const special = /[&<>"]/;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string =>
  special.test(text) ? text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character) : text;

/** Returns HTML attributes with escaped values. Undefined values are left out. */
export const attributes = (values: Record<string, string | undefined>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`))
    .join('');
