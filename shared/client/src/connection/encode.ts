/** Parameters of a request by name. Undefined is not sent. */
export type Params = Readonly<Record<string, unknown>>;

/** Parameters as the API reads them: texts as they stand, everything else as JSON. */
export function encode(params: Params): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) fields.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return fields;
}
