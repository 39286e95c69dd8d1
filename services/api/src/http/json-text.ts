/** A value that is JSON already. It may be a field of a reply's body. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /** The value itself, for whoever needs more than its JSON. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The JSON of a body. Fields that are JSON already are copied. */
export function jsonOf(body: object): string {
  const fields = Object.entries(body);
  const texts = fields.filter((field): field is [string, JsonText] => field[1] instanceof JsonText);
  if (texts.length === 0) return JSON.stringify(body);
  const others = JSON.stringify(
    Object.fromEntries(fields.filter(([, value]) => !(value instanceof JsonText))),
  );
  const copied = texts.map(([name, { text }]) => `${JSON.stringify(name)}:${text}`).join(',');
  return others === '{}' ? `{${copied}}` : `${others.slice(0, -1)},${copied}}`;
}
