/** A field of the organization's profiles. */
export interface ProfileField {
  id: number;
  name: string;
  type: number;
  field_data?: string;
}

function read(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** The accounts that a field of people names. */
export function peopleIn(value: string): number[] {
  const ids = read(value);
  return Array.isArray(ids) ? ids.map(Number).filter(Number.isSafeInteger) : [];
}

/** What an option of a list is called; what is none is shown as it is. */
export function optionOf({ field_data }: Pick<ProfileField, 'field_data'>, value: string): string {
  const options = read(field_data) as Record<string, { text?: string }> | null;
  return options?.[value]?.text ?? value;
}

/** Services that the server knows, by their names in fields. */
export type ExternalAccounts = Readonly<Record<string, { url_pattern: string }>> | undefined;

/** The page of an account elsewhere, where the organization or the server says how its address is made. */
export function accountAddress(
  { field_data }: Pick<ProfileField, 'field_data'>,
  value: string,
  services: ExternalAccounts,
): string | null {
  const { url_pattern, subtype = '' } = (read(field_data) ?? {}) as {
    url_pattern?: string;
    subtype?: string;
  };
  const pattern = url_pattern ?? services?.[subtype]?.url_pattern;
  if (typeof pattern !== 'string' || !/^https?:\/\//i.test(pattern)) return null;
  return pattern.replaceAll('%(username)s', encodeURIComponent(value));
}
