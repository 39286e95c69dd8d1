/** Returns what a table has under a name of strangers: nothing that every object has. */
export const lookUp = <Value>(
  table: Readonly<Record<string, Value>>,
  name: string | null | undefined,
): Value | undefined => (name && Object.hasOwn(table, name) ? table[name] : undefined);
