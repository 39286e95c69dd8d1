const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);

/** Text to HTML without any markup of its own: paragraphs and line breaks, everything else escaped. */
export function renderPlain(text: string): string {
  return escapeHtml(text)
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>\n')}</p>`)
    .join('\n');
}

/** What searches ask about a text. */
export const factsOf = (content: string) => ({
  hasLink: /https?:\/\//.test(content),
  hasImage: false,
  hasAttachment: content.includes('/user_uploads/'),
});
