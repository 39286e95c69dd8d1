/** What browsers would draw as a sign of text unless something says otherwise, as of a heart or a digit. */
const isTextual = (sign: string): boolean =>
  /^\p{Emoji}$/u.test(sign) && !/^\p{Emoji_Presentation}$/u.test(sign);

const asPicture = '\uFE0F';
const isSkinTone = (sign: string | undefined) => sign !== undefined && /^\p{Emoji_Modifier}$/u.test(sign);

/**
 * Returns the character of a code such as `1f468-200d-1f4bb`, with all that makes browsers draw it in colors; nothing
 * for what is no code.
 */
export function characterOf(code: string): string {
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  if (!points.every((point) => point > 0 && point <= 0x10_ff_ff)) return '';
  const signs = points.map((point) => String.fromCodePoint(point)).filter((sign) => sign !== asPicture);
  return signs
    .map((sign, at) => (isTextual(sign) && !isSkinTone(signs[at + 1]) ? `${sign}${asPicture}` : sign))
    .join('');
}
