const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

/** The words of a rendered message, up to what it hides. It is shown as text, and never as HTML. */
export function plainText(html: string, max = 300): string {
  const [open = '', hidden] = html.split(/<div[^>]*class="spoiler-content/, 2);
  const text = open
    .replaceAll(/<img[^>]*\balt="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<\/(?:p|li|div|h\d|blockquote|pre|tr)>|<br\s*\/?>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const whole = hidden === undefined ? text : `${text} …`;
  return whole.length > max ? `${whole.slice(0, max - 1)}…` : whole;
}
